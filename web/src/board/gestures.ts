/** Wheel, drag, pinch and double tap on an element, told as pans and zooms. A press that does not move stays a click. */
import type { Point } from "./types.ts";

export interface Gestures {
  pan(dx: number, dy: number): void;
  zoom(at: Point, factor: number): void;
}

const SLOP = 5;

/** Listens until the returned function is called. */
export function gestures(element: Element, on: Gestures): () => void {
  const held = new Map<number, Point>();
  let moved = false;

  const point = (event: MouseEvent): Point => ({ x: event.clientX, y: event.clientY });
  /** The same in the element. Where that lies is asked for zooms alone: asked at every move it has the page laid out. */
  const local = ({ x, y }: Point): Point => {
    const { left, top } = element.getBoundingClientRect();
    return { x: x - left, y: y - top };
  };
  const middle = (): Point => {
    const all = [...held.values()];
    return { x: all.reduce((s, p) => s + p.x, 0) / all.length, y: all.reduce((s, p) => s + p.y, 0) / all.length };
  };
  const stretch = (): number => {
    const [a, b] = [...held.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  };

  const down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    if (held.size === 0) moved = false;
    held.set(event.pointerId, point(event));
  };
  const move = (event: PointerEvent): void => {
    const before = held.get(event.pointerId);
    if (!before) return;
    const now = point(event);
    if (!moved && held.size === 1 && Math.hypot(now.x - before.x, now.y - before.y) < SLOP) return;
    if (!moved) element.setPointerCapture(event.pointerId);
    moved = true;
    const [was, wide] = [middle(), stretch()];
    held.set(event.pointerId, now);
    const is = middle();
    on.pan(is.x - was.x, is.y - was.y);
    if (held.size === 2 && wide > 0) on.zoom(local(is), stretch() / wide);
  };
  const up = (event: PointerEvent): void => void held.delete(event.pointerId);
  const click = (event: MouseEvent): void => {
    if (!moved || event.detail === 0) return;
    event.stopPropagation();
    moved = false;
  };
  const wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    on.zoom(local(point(event)), Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.002)));
  };
  const twice = (event: MouseEvent): void => on.zoom(local(point(event)), 1.8);

  const listeners: [string, (event: never) => void, AddEventListenerOptions?][] = [
    ["pointerdown", down],
    ["pointermove", move],
    ["pointerup", up],
    ["pointercancel", up],
    ["click", click, { capture: true }],
    ["dblclick", twice],
    ["wheel", wheel, { passive: false }],
  ];
  for (const [kind, listener, options] of listeners) element.addEventListener(kind, listener as EventListener, options);
  return () => {
    for (const [kind, listener, options] of listeners)
      element.removeEventListener(kind, listener as EventListener, options);
  };
}
