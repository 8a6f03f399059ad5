/** Where a reader looks at a board: the view, how it moves there, and when it is at rest. */
import { settings } from "../lib/settings.svelte.ts";
import {
  between,
  clamp,
  fitView,
  panBy,
  plainView,
  toBoard,
  toElement,
  transform,
  wholeScale,
  wholeView,
  zoomAt,
  type Size,
  type View,
} from "./panzoom.ts";
import type { Point } from "./types.ts";

const GLIDE = 250;
const REST = 180;
const ROOM = 70;

export class Camera {
  width = $state(0);
  height = $state(0);
  /** While the view moves the drawing is carried as one picture; at rest it is drawn afresh and sharp. */
  moving = $state(false);
  /** Where the reader's own business is: shown where the whole board could not be read. */
  home: Point[] = $state.raw([]);
  /** Null is the view nobody chose: it follows the element whatever size that takes. */
  private chosen: View | null = $state.raw(null);
  /** Pixels per unit when the view last came to rest. */
  private drawn = $state(1);
  private readonly board: () => Size & { font: number };
  private frame = 0;
  private resting: ReturnType<typeof setTimeout> | undefined;

  readonly element: Size = $derived.by(() => {
    const { width, height } = this.board();
    return { width: this.width || width, height: this.height || height };
  });
  private readonly plain: View = $derived.by(() =>
    clamp(plainView(this.board(), this.element, this.board().font, this.home, ROOM), this.board(), this.element),
  );
  readonly view: View = $derived.by(() => (this.chosen ? clamp(this.chosen, this.board(), this.element) : this.plain));
  readonly css: string = $derived(transform(this.view, this.element));
  /** Pixels per unit at rest: what is sized by it is not drawn anew while the view moves. */
  readonly scale: number = $derived.by(() => (this.moving ? this.drawn : this.view.scale));
  /** What is seen of the board, in its units. */
  readonly seen = $derived.by(() => {
    const [width, height] = [this.element.width / this.view.scale, this.element.height / this.view.scale];
    return { x: this.view.x - width / 2, y: this.view.y - height / 2, width, height };
  });
  /** Whether a part of the board lies outside. */
  readonly cut: boolean = $derived.by(
    () => this.seen.width < this.board().width - 1 || this.seen.height < this.board().height - 1,
  );

  constructor(board: () => Size & { font: number }) {
    this.board = board;
  }

  /** The element has another size: one turned or made narrower is a new window, with the view nobody chose. */
  resize(width: number, height: number): void {
    const turned = this.width > 0 && Math.abs(width - this.width) > 1;
    [this.width, this.height] = [width, height];
    if (!turned) return;
    cancelAnimationFrame(this.frame);
    this.chosen = null;
  }

  /** Other business: the view goes there, where it cannot show all of the board. What is done with stays in view. */
  goHome(points: Point[]): void {
    const known = new Set(this.home.map(({ x, y }) => `${x} ${y}`));
    if (!points.some(({ x, y }) => !known.has(`${x} ${y}`))) return;
    const from = this.view;
    this.home = points;
    if (this.plain.scale > wholeScale(this.board(), this.element) + 1e-6 && (known.size || this.chosen))
      this.glide(this.plain, null, from);
  }

  pan(dx: number, dy: number): void {
    this.show(panBy(this.view, dx, dy));
  }

  zoomAt(at: Point, factor: number): void {
    this.show(zoomAt(this.view, this.element, at, factor));
  }

  zoom(factor: number): void {
    const middle = { x: this.element.width / 2, y: this.element.height / 2 };
    this.glide(zoomAt(this.view, this.element, middle, factor));
  }

  fit(points: Point[]): void {
    const next = fitView(points, this.element, ROOM);
    if (next) this.glide(next);
  }

  whole(): void {
    this.glide(wholeView(this.board(), this.element));
  }

  /** Moves the middle to a point of the board, at once: a finger on the overview. */
  centre(at: Point): void {
    this.show({ ...this.view, ...at });
  }

  /** Moves the middle to a point that lies at the edge of the view or outside it. */
  reveal(point: Point): void {
    const { x, y } = toElement(this.view, this.element, point);
    const edge = 40;
    if (x < edge || y < edge || x > this.element.width - edge || y > this.element.height - edge)
      this.glide({ ...this.view, ...point });
  }

  /** The board point under a point of the element. */
  under(at: Point): Point {
    return toBoard(this.view, this.element, at);
  }

  /** The point of the element over a board point. */
  over(point: Point): Point {
    return toElement(this.view, this.element, point);
  }

  private show(next: View | null): void {
    cancelAnimationFrame(this.frame);
    this.see(next && clamp(next, this.board(), this.element));
  }

  /** Goes there in a quarter of a second, or at once for those who want no motion; `kept` is the view chosen by it. */
  private glide(next: View, kept: View | null = next, from = this.view): void {
    if (settings.still) return this.show(kept);
    const [to, began] = [clamp(next, this.board(), this.element), performance.now()];
    const go = (now: number): void => {
      const part = Math.min(1, Math.max(0, now - began) / GLIDE);
      this.see(part < 1 ? between(from, to, 1 - (1 - part) ** 3) : kept && to);
      if (part < 1) this.frame = requestAnimationFrame(go);
    };
    cancelAnimationFrame(this.frame);
    this.see(from);
    this.frame = requestAnimationFrame(go);
  }

  private see(next: View | null): void {
    if (!this.moving) this.drawn = this.view.scale;
    this.chosen = next;
    this.moving = true;
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.rest(), REST);
  }

  private rest(): void {
    this.moving = false;
  }
}
