/** The drawn board of a map: as it comes with the page, or drawn from the facts of a map that brings none. */
import type { MapFacts } from "../wire.ts";
import type { BoardArt, TrackArt } from "./types.ts";

const drawn = new Map<string, Promise<BoardArt>>(); // by the map's hash

export async function loadBoard(facts: MapFacts): Promise<BoardArt> {
  if (!facts.drawn_as) return drawnOnce(facts);
  const response = await fetch(`/boards/${facts.drawn_as}.json`);
  if (!response.ok) throw new Error(response.statusText);
  return fitted({ ...((await response.json()) as BoardArt), map: facts.id }, facts);
}

function drawnOnce(facts: MapFacts): Promise<BoardArt> {
  if (!drawn.has(facts.hash)) {
    const drawing = draw(facts);
    drawing.catch(() => drawn.delete(facts.hash));
    drawn.set(facts.hash, drawing);
  }
  return drawn.get(facts.hash)!;
}

/** Beside the page, which stays usable meanwhile: finding room for every space takes a second or two. */
function draw({ id, places, tracks, outline }: MapFacts): Promise<BoardArt> {
  const worker = new Worker(new URL("./drawing.ts", import.meta.url), { type: "module" });
  return new Promise<BoardArt>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<BoardArt>) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage({ id, places, tracks, outline });
  }).finally(() => worker.terminate());
}

/** The board with tracks of another length given the spaces they have on this map. */
export function fitted(art: BoardArt, facts: Pick<MapFacts, "tracks">): BoardArt {
  const tracks = { ...art.tracks };
  for (const { id, length } of facts.tracks) {
    const track = tracks[id];
    if (track && track.slots.length !== length) tracks[id] = spaced(track, length);
  }
  return { ...art, tracks };
}

/** A track with n spaces where it had others. */
function spaced(track: TrackArt, n: number): TrackArt {
  const ends = withEnds(track);
  const lengths = ends.slice(1).map(([x, y], i) => Math.hypot(x - ends[i]![0], y - ends[i]![1]));
  const step = lengths.reduce((sum, length) => sum + length, 0) / n;
  const slots = Array.from({ length: n }, (_, i) => at(ends, lengths, (i + 0.5) * step));
  return { ...track, w: Math.round(step * 9.3) / 10, slots };
}

/** The middles of its spaces, and the two ends. */
function withEnds({ slots, w }: TrackArt): [number, number][] {
  const middles = slots.map(([x, y]): [number, number] => [x, y]);
  const [first, last] = [slots[0]!, slots.at(-1)!];
  const turn = (angle: number) => [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)] as const;
  const beyond = ([x, y, angle]: [number, number, number], next: [number, number] | undefined): [number, number] => {
    const [c, s] = turn(angle);
    const away = next && c * (next[0] - x) + s * (next[1] - y) > 0 ? -1 : 1;
    return [x + (away * c * w) / 2, y + (away * s * w) / 2];
  };
  const end = beyond(last, middles.at(-2));
  const start = slots.length > 1 ? beyond(first, middles[1]) : beyond(first, end);
  return [start, ...middles, end];
}

/** Where one stands after so many units of a line, and how a wagon stands there upright. */
function at(line: [number, number][], lengths: number[], far: number): [number, number, number] {
  let i = 0;
  while (i < lengths.length - 1 && far > lengths[i]!) far -= lengths[i++]!;
  const [[ax, ay], [bx, by]] = [line[i]!, line[i + 1]!];
  const part = far / (lengths[i]! || 1);
  let angle = (Math.atan2(by - ay, bx - ax) * 180) / Math.PI;
  if (angle > 90) angle -= 180;
  if (angle <= -90) angle += 180;
  return [ax + (bx - ax) * part, ay + (by - ay) * part, angle];
}
