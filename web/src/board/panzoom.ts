/** The window onto a board: which part of it fills the element. Plain values in, plain values out. */
import type { Point } from "./types.ts";

export interface Size {
  width: number;
  height: number;
}

/** The middle of what is shown, in board units, and pixels per unit. */
export interface View {
  x: number;
  y: number;
  scale: number;
}

const DEEPEST = 6;

/** Pixels per unit at which the whole board is just shown. */
export const wholeScale = (board: Size, element: Size): number =>
  Math.min(element.width / board.width, element.height / board.height);

export const wholeView = (board: Size, element: Size): View => ({
  x: board.width / 2,
  y: board.height / 2,
  scale: wholeScale(board, element),
});

/** Pixels a letter is high at the least, and the part of the window a map fills at the least, in a view nobody chose. */
const LEGIBLE = 9.05;
const FILLED = 0.82;
/** Pixels: a window that is larger each way is looked at as a whole, wide or high as the map may be. */
const LARGE = 600;
/** How much closer than it has to be a view nobody chose may come. */
const CLOSER = 1.5;

/** Pixels per unit of a view nobody chose: the whole board where it can be read there, else as much of it as can. */
export function plainScale(board: Size, element: Size, font: number): number {
  const whole = wholeScale(board, element);
  const cover = Math.max(element.width / board.width, element.height / board.height);
  const filled = Math.min(element.width, element.height) > LARGE ? whole : FILLED * cover;
  return Math.max(whole, LEGIBLE / font, filled);
}

/** The view nobody chose: all of the board if it can be read, else the part where most of these points are. */
export function plainView(board: Size, element: Size, font: number, points: Point[], room: number): View {
  const least = plainScale(board, element, font);
  if (least <= wholeScale(board, element) || !points.length) return { ...wholeView(board, element), scale: least };
  const fitted = fitView(points, element, room)!;
  if (fitted.scale >= least) return { ...fitted, scale: Math.min(fitted.scale, least * CLOSER) };
  return { ...crowd(points, { width: element.width / least, height: element.height / least }, room), scale: least };
}

/** The middle of the window of a size, in board units, that holds most of the points; of equal ones the nearest to the middle of all. */
function crowd(points: Point[], size: Size, room: number): Point {
  const middle = fitView(points, size, 0)!;
  const margin = (whole: number) => Math.min(room, whole / 4);
  const [mx, my] = [margin(size.width), margin(size.height)];
  const lefts = [middle.x - size.width / 2, ...points.flatMap((p) => [p.x - mx, p.x + mx - size.width])];
  const tops = [middle.y - size.height / 2, ...points.flatMap((p) => [p.y - my, p.y + my - size.height])];
  const held = (left: number, top: number) =>
    points.filter(
      (p) => p.x >= left + mx && p.x <= left + size.width - mx && p.y >= top + my && p.y <= top + size.height - my,
    ).length;
  let best = { held: -1, far: 0, at: middle as Point };
  for (const left of lefts) {
    for (const top of tops) {
      const at = { x: left + size.width / 2, y: top + size.height / 2 };
      const found = { held: held(left, top), far: Math.hypot(at.x - middle.x, at.y - middle.y), at };
      if (found.held > best.held || (found.held === best.held && found.far < best.far)) best = found;
    }
  }
  return best.at;
}

/** One coordinate kept where the board fills the window, or in the middle where it is smaller. */
function hold(middle: number, board: number, shown: number): number {
  if (shown >= board) return board / 2;
  return Math.max(shown / 2, Math.min(board - shown / 2, middle));
}

/** The nearest view that shows nothing but board, not smaller than the whole and not closer than `DEEPEST` times that. */
export function clamp(view: View, board: Size, element: Size): View {
  const least = wholeScale(board, element);
  const scale = Math.max(least, Math.min(Math.max(least * DEEPEST, 1.6), view.scale));
  return {
    scale,
    x: hold(view.x, board.width, element.width / scale),
    y: hold(view.y, board.height, element.height / scale),
  };
}

/** The board point under a point of the element. */
export const toBoard = (view: View, element: Size, at: Point): Point => ({
  x: view.x + (at.x - element.width / 2) / view.scale,
  y: view.y + (at.y - element.height / 2) / view.scale,
});

/** The point of the element over a board point. */
export const toElement = (view: View, element: Size, at: Point): Point => ({
  x: (at.x - view.x) * view.scale + element.width / 2,
  y: (at.y - view.y) * view.scale + element.height / 2,
});

/** Closer or further by a factor, with the board point under `at` kept under it. */
export function zoomAt(view: View, element: Size, at: Point, factor: number): View {
  const fixed = toBoard(view, element, at);
  const scale = view.scale * factor;
  return { scale, x: fixed.x - (at.x - element.width / 2) / scale, y: fixed.y - (at.y - element.height / 2) / scale };
}

/** Dragged by some pixels. */
export const panBy = (view: View, dx: number, dy: number): View => ({
  ...view,
  x: view.x - dx / view.scale,
  y: view.y - dy / view.scale,
});

/** The closest view that shows all points with some room about them. */
export function fitView(points: Point[], element: Size, room: number): View | null {
  if (!points.length) return null;
  const [xs, ys] = [points.map((p) => p.x), points.map((p) => p.y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const scale = Math.min(element.width / (right - left + 2 * room), element.height / (bottom - top + 2 * room));
  return { x: (left + right) / 2, y: (top + bottom) / 2, scale };
}

/** The transform that puts a board drawn at one pixel a unit into the view. */
export const transform = (view: View, element: Size): string => {
  const { x, y } = toElement(view, element, { x: 0, y: 0 });
  return `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px) scale(${view.scale.toFixed(5)})`;
};

/** The view `part` of the way from one to another, at an even pace to the eye. */
export const between = (from: View, to: View, part: number): View => ({
  x: from.x + (to.x - from.x) * part,
  y: from.y + (to.y - from.y) * part,
  scale: from.scale * (to.scale / from.scale) ** part,
});
