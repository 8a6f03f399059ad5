/**
 * Who owns what, measured in the drawing itself: pixels of the real board, in the middle of games of five on every map.
 *
 * Of every track the spaces are read from a screenshot, each as a grid of pixels turned straight. A free track is its face, the
 * commonest colour in its spaces. A claimed one is its outline (the commonest colour along the long edges of its trains), its
 * body (the commonest within), and its pattern: which cells of the grid contrast with the body.
 *  - Outline and body of every piece contrast at least 3 : 1 with the face of every free track of the board, not only of those beside it.
 *  - Any two seats' bodies differ by CIEDE2000 15 or more, or their patterns differ in a tenth of the cells.
 * By day and by night, each in five kinds of sight.
 */
import type { TableWire } from "../src/wire.ts";
import { ask, BOT, expect, ME, type Page, test } from "./base.ts";
import { contrast, difference, seen, SIGHTS, type Rgb } from "./sight.ts";

const MAPS = ["usa", "europe", "iberia", "africa", "carpathians"];
const [COLUMNS, ROWS] = [32, 16];
const APART = 15; // CIEDE2000
const CELLS = 0.1; // of a pattern

/** A space as pixels: rows from `-tall / 2` to `tall / 2` across the track, columns along it. */
type Grid = Rgb[][];
interface Read {
  id: string;
  owner: string | null;
  closed: boolean;
  spaces: Grid[];
}

/** A game that is over: the guest gets up, and bots play it to its end. */
async function played(page: Page, map: string): Promise<string> {
  await ask(page, "/me");
  const { id } = await ask<TableWire>(page, "/tables", {
    map,
    seats: [ME, BOT, BOT, BOT, BOT],
    order: "fixed",
    start: true,
    seed: 5,
  });
  await ask(page, `/tables/${id}/leave`, {});
  await expect
    .poll(async () => (await ask<TableWire>(page, `/tables/${id}`)).state, { timeout: 60_000, intervals: [200] })
    .toBe("over");
  return id;
}

/** Where the spaces lie on the screen, and whose they are. */
function spaces(page: Page, map: string) {
  return page.evaluate(async (name) => {
    const tracks = [...document.querySelectorAll<SVGElement>("[data-track]")];
    const matrix = tracks[0]!.ownerSVGElement!.getScreenCTM()!;
    const art = (await (await fetch(`/boards/${name}.json`)).json()) as {
      slot: number;
      tracks: Record<string, { w: number; slots: [number, number, number][] }>;
    };
    return {
      slot: art.slot,
      scale: matrix.a,
      tracks: tracks.map((track) => ({
        id: track.dataset.track!,
        owner: /claimed by ([^,]+)/.exec(track.getAttribute("aria-label")!)?.[1] ?? null,
        closed: track.classList.contains("closed"),
        w: art.tracks[track.dataset.track!]!.w,
        slots: art.tracks[track.dataset.track!]!.slots.map(
          ([x, y, angle]) => [matrix.a * x + matrix.e, matrix.d * y + matrix.f, angle] as const,
        ),
      })),
    };
  }, map);
}

/** The window's pixels, read space by space in a page without the service's policy. */
async function read(page: Page, map: string): Promise<Read[]> {
  const { slot, scale, tracks } = await spaces(page, map);
  const picture = (await page.screenshot()).toString("base64");
  const desk = await page.context().newPage();
  const grids = await desk.evaluate(
    async ({ picture, slot, scale, tracks, columns, rows }) => {
      const bytes = Uint8Array.from(atob(picture), (c) => c.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d")!;
      canvas.drawImage(bitmap, 0, 0);
      const ratio = bitmap.width / innerWidth;
      const { data } = canvas.getImageData(0, 0, bitmap.width, bitmap.height);
      const at = (x: number, y: number): [number, number, number] => {
        const i = 4 * (Math.round(y * ratio) * bitmap.width + Math.round(x * ratio));
        return [data[i]!, data[i + 1]!, data[i + 2]!];
      };
      return tracks.map((track) =>
        track.slots.map(([x, y, angle]) => {
          const [c, s] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
          return Array.from({ length: rows }, (_, row) =>
            Array.from({ length: columns }, (_, column) => {
              const u = ((column + 0.5) / columns - 0.5) * track.w * scale;
              const v = ((row + 0.5) / rows - 0.5) * (slot + 4) * scale;
              return at(x + u * c - v * s, y + u * s + v * c);
            }),
          );
        }),
      );
    },
    { picture, slot, scale, tracks, columns: COLUMNS, rows: ROWS },
  );
  await desk.close();
  return tracks.map(({ id, owner, closed }, i) => ({ id, owner, closed, spaces: grids[i]! }));
}

/** The commonest colour: pixels are put into bins of like colours, and the fullest bin is averaged. */
function commonest(pixels: Rgb[]): Rgb {
  const bins = new Map<number, Rgb[]>();
  for (const pixel of pixels) {
    const key = pixel.reduce((sum, c) => sum * 16 + Math.min(15, Math.floor((c + 8) / 17)), 0);
    if (!bins.has(key)) bins.set(key, []);
    bins.get(key)!.push(pixel);
  }
  const most = [...bins.values()].reduce((one, other) => (other.length > one.length ? other : one));
  return [0, 1, 2].map((i) => most.reduce((sum, pixel) => sum + pixel[i]!, 0) / most.length) as unknown as Rgb;
}

const part = (grids: Grid[], wanted: (row: number, column: number) => boolean): Rgb[] =>
  grids.flatMap((grid) => grid.flatMap((line, row) => line.filter((_, column) => wanted(row, column))));
const across = (row: number) => Math.abs((row + 0.5) / ROWS - 0.5) * 2; // 0 in the middle, 1 at the edge of a train
const along = (column: number) => Math.abs((column + 0.5) / COLUMNS - 0.5) * 2;

const faceOf = (grids: Grid[]) => commonest(part(grids, (row, column) => across(row) < 0.62 && along(column) < 0.92));
const outlineOf = (grids: Grid[]) => commonest(part(grids, (row, column) => across(row) > 0.86 && along(column) < 0.5));
const bodyOf = (grids: Grid[]) => commonest(part(grids, (row, column) => across(row) < 0.75 && along(column) < 0.8));

/** How often each cell of a seat's trains stands out of their body, in this sight. */
function patternOf(grids: Grid[], body: Rgb, sight: string): number[] {
  const ground = seen(sight, body);
  const cells: number[] = [];
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      if (across(row) > 0.7 || along(column) > 0.8) continue;
      cells.push(grids.filter((grid) => contrast(seen(sight, grid[row]![column]!), ground) > 2).length / grids.length);
    }
  }
  return cells;
}

interface Seat {
  name: string;
  body: Rgb;
  spaces: Grid[];
}

function seatsIn(tracks: Read[]): Seat[] {
  const names = [...new Set(tracks.flatMap(({ owner }) => owner ?? []))];
  return names.map((name) => {
    const spaces = tracks.filter(({ owner }) => owner === name).flatMap((track) => track.spaces);
    return { name, body: bodyOf(spaces), spaces };
  });
}

const hex = (colour: Rgb) => `#${colour.map((c) => Math.round(c).toString(16).padStart(2, "0")).join("")}`;

/** Pieces that are too like a free track. */
function hidden(tracks: Read[], sight: string): string[] {
  const free = tracks
    .filter(({ owner, closed }) => owner === null && !closed)
    .map((track) => ({ ...track, face: faceOf(track.spaces) }));
  return tracks
    .filter(({ owner }) => owner !== null)
    .flatMap((piece) => {
      const [outline, body] = [outlineOf(piece.spaces), bodyOf(piece.spaces)];
      const worst = (colour: Rgb) =>
        free
          .map((track) => ({ track, ratio: contrast(seen(sight, colour), seen(sight, track.face)) }))
          .filter(({ ratio }) => ratio < 3);
      const told = (what: string, colour: Rgb) =>
        worst(colour).map(
          ({ track, ratio }) =>
            `${sight}: ${what} of ${piece.id} (${piece.owner}) ${hex(colour)} on ${track.id} ${hex(track.face)}: ${ratio.toFixed(2)}`,
        );
      return [...told("outline", outline), ...told("body", body)];
    });
}

/** Pairs of seats whose pieces are too like each other. */
function confused(seats: Seat[], sight: string): string[] {
  return seats.flatMap((one, i) =>
    seats.slice(i + 1).flatMap((other) => {
      const apart = difference(seen(sight, one.body), seen(sight, other.body));
      if (apart >= APART) return [];
      const [p, q] = [patternOf(one.spaces, one.body, sight), patternOf(other.spaces, other.body, sight)];
      const cells = p.reduce((sum, value, cell) => sum + Math.abs(value - q[cell]!), 0) / p.length;
      return cells >= CELLS
        ? []
        : [
            `${sight}: ${one.name} and ${other.name}: colours ${apart.toFixed(1)} apart, patterns in ${(cells * 100).toFixed(1)} % of the cells`,
          ];
    }),
  );
}

test.use({ deviceScaleFactor: 1.5, viewport: { width: 1300, height: 1200 } });

for (const map of MAPS) {
  test(`${map}: claimed tracks stand out of free ones, and players of each other, for every kind of sight`, async ({
    page,
  }) => {
    const id = await played(page, map);
    for (const move of [170, 110, 240]) {
      await page.goto(`/replay/${id}#move=${move}`);
      await page.reload();
      await expect(page.getByTestId("replay-words")).toBeVisible();
      if (new Set((await spaces(page, map)).tracks.flatMap(({ owner }) => owner ?? [])).size === 5) break;
    }
    for (const theme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: theme });
      const tracks = await read(page, map);
      const seats = seatsIn(tracks);
      expect(seats.length, "players with trains").toBe(5);
      expect(tracks.filter(({ owner, closed }) => owner === null && !closed).length, "free tracks").toBeGreaterThan(15);
      for (const sight of SIGHTS) {
        expect(hidden(tracks, sight).slice(0, 8), theme).toEqual([]);
        expect(confused(seats, sight), theme).toEqual([]);
      }
    }
  });
}
