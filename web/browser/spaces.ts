/** Where the spaces of a track lie on the screen. A track is drawn as a few paths, each of all its spaces. */
export interface Space {
  /** The middle. */
  x: number;
  y: number;
  /** How it is turned, in radians. */
  turn: number;
}

declare global {
  interface Window {
    spacesOf: (track: Element) => Space[];
  }
}

/** Said in the page, as `spacesOf`: base.ts brings it there. */
export function bringSpaces(): void {
  window.spacesOf = (track) => {
    const path = track.querySelector<SVGPathElement>(":scope > .spaces");
    const board = path?.ownerSVGElement;
    if (!path || !board) return [];
    const [box, size] = [board.getBoundingClientRect(), board.viewBox.baseVal];
    const scale = box.width / size.width;
    return path
      .getAttribute("d")!
      .split("M")
      .slice(1)
      .map((one) => {
        const corners = one.match(/-?[\d.]+ -?[\d.]+(?=[LAZ])/g)!.map((pair) => pair.split(" ").map(Number));
        const middle = (i: number) => {
          const all = corners.map((corner) => corner[i]!);
          return (Math.min(...all) + Math.max(...all)) / 2;
        };
        const [[x1, y1], [x2, y2]] = corners as [[number, number], [number, number]];
        return {
          x: box.x + middle(0) * scale,
          y: box.y + middle(1) * scale,
          turn: Math.atan2(y2 - y1, x2 - x1),
        };
      });
  };
}
