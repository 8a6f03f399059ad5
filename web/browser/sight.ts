/** Colours as eyes see them: contrast, difference (CIEDE2000), and kinds of sight that lack a cone. Plain arithmetic on sRGB. */

export type Rgb = readonly [number, number, number];

const linear = (c: number): number => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
const light = ([r, g, b]: Rgb): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;

/** Machado, Oliveira and Fernandes (2009), full severity, on linear light; grey sight keeps the luminance alone. */
const CONES: Record<string, number[]> = {
  protan: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deutan: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritan: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};
export const SIGHTS = ["common", "protan", "deutan", "tritan", "grey"] as const;

/** What this sight makes of a colour, in linear light. */
export function seen(sight: string, colour: Rgb): Rgb {
  const [r, g, b] = colour.map(linear) as [number, number, number];
  if (sight === "grey") return [light([r, g, b]), light([r, g, b]), light([r, g, b])];
  const m = CONES[sight];
  if (!m) return [r, g, b];
  const row = (i: number) => Math.min(1, Math.max(0, m[i]! * r + m[i + 1]! * g + m[i + 2]! * b));
  return [row(0), row(3), row(6)];
}

/** Contrast after WCAG, of colours in linear light. */
export function contrast(a: Rgb, b: Rgb): number {
  const [dark, bright] = [light(a), light(b)].sort((x, y) => x - y) as [number, number];
  return (bright + 0.05) / (dark + 0.05);
}

function lab([r, g, b]: Rgb): [number, number, number] {
  const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const rad = (degrees: number) => (degrees * Math.PI) / 180;
const hue = (a: number, b: number) => (a || b ? ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360 : 0);

/** CIEDE2000 of two colours in linear light. */
export function difference(one: Rgb, other: Rgb): number {
  const [[l1, a1, b1], [l2, a2, b2]] = [lab(one), lab(other)];
  const mean7 = ((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2) ** 7;
  const g = 1 + 0.5 * (1 - Math.sqrt(mean7 / (mean7 + 25 ** 7)));
  const [c1, c2] = [Math.hypot(a1 * g, b1), Math.hypot(a2 * g, b2)];
  const [h1, h2] = [hue(a1 * g, b1), hue(a2 * g, b2)];
  const turn = c1 * c2 === 0 ? 0 : ((h2 - h1 + 540) % 360) - 180;
  const dH = 2 * Math.sqrt(c1 * c2) * Math.sin(rad(turn / 2));
  const [l, c] = [(l1 + l2) / 2, (c1 + c2) / 2];
  const h = c1 * c2 === 0 ? h1 + h2 : (h1 + turn / 2 + 360) % 360;
  const t =
    1 -
    0.17 * Math.cos(rad(h - 30)) +
    0.24 * Math.cos(rad(2 * h)) +
    0.32 * Math.cos(rad(3 * h + 6)) -
    0.2 * Math.cos(rad(4 * h - 63));
  const sL = 1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2);
  const [sC, sH] = [1 + 0.045 * c, 1 + 0.015 * c * t];
  const rT = -Math.sin(rad(60 * Math.exp(-(((h - 275) / 25) ** 2)))) * 2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7));
  const [p, q, r] = [(l2 - l1) / sL, (c2 - c1) / sC, dH / sH];
  return Math.sqrt(p * p + q * q + r * r + rT * q * r);
}
