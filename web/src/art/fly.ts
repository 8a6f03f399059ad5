/** Things that move from one place of the page to another: a picture of the thing flies, the thing itself stays where it is. */

type Place = Element | DOMRect;

const rect = (place: Place): DOMRect => (place instanceof Element ? place.getBoundingClientRect() : place);

/** True when nothing may move: the visitor's system or the page's own setting says so. */
export function still(): boolean {
  return document.documentElement.dataset.motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Fly a copy of `thing` from one place to another (300 ms at most); resolves when it has arrived, at once where nothing may move. */
export async function fly(
  thing: Element,
  from: Place,
  to: Place,
  options: { ms?: number; delay?: number; fade?: boolean } = {},
): Promise<void> {
  if (still() || typeof thing.animate !== "function") return;
  const start = rect(from);
  const end = rect(to);
  if (!start.width || !end.width) return;
  const copy = thing.cloneNode(true) as HTMLElement;
  copy.removeAttribute("id");
  copy.setAttribute("aria-hidden", "true");
  copy.inert = true;
  Object.assign(copy.style, {
    position: "fixed",
    left: `${start.left}px`,
    top: `${start.top}px`,
    width: `${start.width}px`,
    height: `${start.height}px`,
    margin: "0",
    zIndex: "1000",
    pointerEvents: "none",
    transformOrigin: "0 0",
    transition: "none",
  });
  document.body.append(copy);
  const scale = end.width / start.width;
  const shift = `translate(${end.left - start.left}px, ${end.top - start.top + (end.height - start.height * scale) / 2}px)`;
  try {
    await copy.animate(
      [{ transform: "none" }, { transform: `${shift} scale(${scale})`, opacity: options.fade ? 0.2 : 1 }],
      {
        duration: Math.min(300, options.ms ?? 300),
        delay: options.delay ?? 0,
        easing: "cubic-bezier(0.3, 0.1, 0.2, 1)",
        fill: "both",
      },
    ).finished;
  } catch {
    // A cancelled flight ends where it is; the page already shows the thing in its new place.
  } finally {
    copy.remove();
  }
}
