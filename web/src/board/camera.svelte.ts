/** Where a reader looks at a board: the view, how it moves there, and when it is at rest. */
import { settings } from "../lib/settings.svelte.ts";
import { between, clamp, fitView, panBy, toBoard, toElement, transform, wholeScale, wholeView, zoomAt, type Size, type View } from "./panzoom.ts";
import type { Point } from "./types.ts";

const GLIDE = 250;
const REST = 180;
const ROOM = 70;

export class Camera {
  width = $state(0);
  height = $state(0);
  /** While the view moves the drawing is carried as one picture; at rest it is drawn afresh and sharp. */
  moving = $state(false);
  /** How many times closer than the whole board, when the view last came to rest. */
  near = $state(1);
  /** Null shows the whole board, whatever size the element takes. */
  private chosen: View | null = $state.raw(null);
  private readonly board: () => Size;
  private frame = 0;
  private resting: ReturnType<typeof setTimeout> | undefined;

  readonly element: Size = $derived.by(() => {
    const { width, height } = this.board();
    return { width: this.width || width, height: this.height || height };
  });
  readonly view: View = $derived.by(() => clamp(this.chosen ?? wholeView(this.board(), this.element), this.board(), this.element));
  readonly css: string = $derived(transform(this.view, this.element));

  constructor(board: () => Size) {
    this.board = board;
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

  /** Moves the middle to a point that lies at the edge of the view or outside it. */
  reveal(point: Point): void {
    const { x, y } = toElement(this.view, this.element, point);
    const edge = 40;
    if (x < edge || y < edge || x > this.element.width - edge || y > this.element.height - edge) this.glide({ ...this.view, ...point });
  }

  /** The board point under a point of the element. */
  under(at: Point): Point {
    return toBoard(this.view, this.element, at);
  }

  private show(next: View): void {
    cancelAnimationFrame(this.frame);
    this.see(clamp(next, this.board(), this.element));
  }

  /** Goes there in a quarter of a second, or at once for those who want no motion. */
  private glide(next: View): void {
    if (settings.still) return this.show(next);
    const [from, to, began] = [this.view, clamp(next, this.board(), this.element), performance.now()];
    const go = (now: number): void => {
      const part = Math.min(1, Math.max(0, now - began) / GLIDE);
      this.see(between(from, to, 1 - (1 - part) ** 3));
      if (part < 1) this.frame = requestAnimationFrame(go);
    };
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(go);
  }

  private see(next: View): void {
    this.chosen = next;
    this.moving = true;
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.rest(), REST);
  }

  private rest(): void {
    this.moving = false;
    this.near = this.view.scale / wholeScale(this.board(), this.element);
  }
}
