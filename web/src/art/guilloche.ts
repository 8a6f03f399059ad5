/** Fine repeated curves, as on old tickets and banknotes: drawn by formula, a different figure for each seed, always the same for one seed. */

/** A small generator of numbers 0..1 from a text, so that a ticket looks the same wherever it is drawn. */
export function seeded(text: string): () => number {
  let state = 2166136261;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 16777619);
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9;
    return ((state ^ (state >>> 13)) >>> 0) / 4294967296;
  };
}

const at = (x: number, y: number): string => `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
const kept = new Map<string, string>();

function once(key: string, draw: () => string): string {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const drawn = draw();
  kept.set(key, drawn);
  return drawn;
}

/** A rosette around 0,0 of radius `r`: rings of petals, each ring turned a little against the last. */
export function rosette(seed: string, r: number, rings = 7): string {
  return once(`rosette ${seed} ${r} ${rings}`, () => {
    const next = seeded(seed);
    const petals = 7 + Math.floor(next() * 6);
    const deep = 0.16 + next() * 0.14;
    const twist = (0.5 + next()) / rings;
    const ring = (k: number): string => {
      const size = r * (1 - (0.62 * k) / rings);
      const points = Array.from({ length: petals * 12 }, (_, i) => {
        const a = (2 * Math.PI * i) / (petals * 12);
        const reach = size * (1 - deep + deep * Math.cos(petals * (a + twist * k)));
        return at(reach * Math.cos(a), reach * Math.sin(a));
      });
      return `M${points.join("L")}z`;
    };
    return Array.from({ length: rings }, (_, k) => ring(k)).join("");
  });
}

/** A band of woven waves in a box `w` × `h`. */
export function band(seed: string, w: number, h: number, lines = 6): string {
  return once(`band ${seed} ${w} ${h} ${lines}`, () => {
    const next = seeded(seed);
    const waves = Math.max(2, Math.round(w / (h * (1.6 + next() * 1.4))));
    const slow = 1 + Math.floor(next() * 3);
    const points = Math.max(24, waves * 10);
    const line = (k: number): string => {
      const phase = (2 * Math.PI * k) / lines;
      const along = Array.from({ length: points + 1 }, (_, i) => {
        const a = (2 * Math.PI * i) / points;
        const swing = 0.34 + 0.14 * Math.cos(slow * a + phase / 2);
        return at((w * i) / points, h * (0.5 + swing * Math.sin(waves * a + phase)));
      });
      return `M${along.join("L")}`;
    };
    return Array.from({ length: lines }, (_, k) => line(k)).join("");
  });
}
