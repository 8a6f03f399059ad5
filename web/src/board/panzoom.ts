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
