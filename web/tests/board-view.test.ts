// The window onto the board, and finding things on it.
import { describe, expect, test } from "vitest";
import { middleOf, placeAt, plain, towards, trackAt, Typed } from "../src/board/find.ts";
import {
  between,
  clamp,
  fitView,
  panBy,
  plainView,
  toBoard,
  toElement,
  transform,
  wholeView,
  zoomAt,
} from "../src/board/panzoom.ts";
import { boxesPath, locoSpaces } from "../src/board/slots.ts";
import type { BoardArt } from "../src/board/types.ts";

const board = { width: 1200, height: 800 };
const element = { width: 600, height: 600 };

describe("pan and zoom", () => {
  test("the whole board is shown at first", () => {
    expect(wholeView(board, element)).toEqual({ x: 600, y: 400, scale: 0.5 });
    expect(transform(wholeView(board, element), element)).toBe("translate(0.00px, 100.00px) scale(0.50000)");
  });

  test("a view nobody chose fills a small window and shows all of the board in a large one", () => {
    const places = [
      { x: 200, y: 300 },
      { x: 500, y: 400 },
    ];
    const area = (size: typeof element) => {
      const { scale } = plainView(board, size, 24, places, 50);
      return Math.min(1, (board.width * scale) / size.width) * Math.min(1, (board.height * scale) / size.height);
    };
    expect(area({ width: 390, height: 450 })).toBeGreaterThan(0.8);
    expect(plainView(board, { width: 780, height: 760 }, 24, places, 50)).toEqual(
      wholeView(board, { width: 780, height: 760 }),
    );
  });

  test("zooming keeps what is under the pointer", () => {
    const at = { x: 120, y: 340 };
    const view = wholeView(board, element);
    const before = toBoard(view, element, at);
    const after = toBoard(zoomAt(view, element, at, 2.5), element, at);
    expect(after.x).toBeCloseTo(before.x);
    expect(after.y).toBeCloseTo(before.y);
    expect(toElement(view, element, before)).toEqual(at);
  });

  test("a drag moves the board with the finger", () => {
    expect(panBy({ x: 600, y: 400, scale: 2 }, 10, -6)).toEqual({ x: 595, y: 403, scale: 2 });
  });

  test("nothing outside the board comes into view", () => {
    expect(clamp({ x: -500, y: 5000, scale: 2 }, board, element)).toEqual({ x: 150, y: 650, scale: 2 });
    expect(clamp({ x: 0, y: 0, scale: 0.01 }, board, element)).toEqual({ x: 600, y: 400, scale: 0.5 });
    expect(clamp({ x: 600, y: 400, scale: 99 }, board, element).scale).toBe(3);
  });

  test("some places can be fitted", () => {
    const view = fitView(
      [
        { x: 100, y: 100 },
        { x: 300, y: 200 },
      ],
      element,
      50,
    );
    expect(view).toEqual({ x: 200, y: 150, scale: 2 });
    expect(fitView([], element, 50)).toBeNull();
  });

  test("a glide goes from one view to the other", () => {
    const [from, to] = [
      { x: 0, y: 0, scale: 1 },
      { x: 10, y: 20, scale: 4 },
    ];
    expect(between(from, to, 0)).toEqual(from);
    expect(between(from, to, 0.5)).toEqual({ x: 5, y: 10, scale: 2 });
    expect(between(from, to, 1)).toEqual(to);
  });
});

const art = {
  slot: 12,
  dot: 7,
  places: { a: { x: 0, y: 0, label: null }, b: { x: 100, y: 0, label: null } },
  tracks: {
    "a-b-1": {
      d: "",
      w: 30,
      slots: [
        [30, -8, 0],
        [65, -8, 0],
      ],
    },
    "a-b-2": {
      d: "",
      w: 30,
      slots: [
        [30, 8, 0],
        [65, 8, 0],
      ],
    },
  },
} as unknown as BoardArt;

describe("finding", () => {
  test("a press between two tracks goes to the nearer one", () => {
    expect(trackAt(art, { x: 40, y: -1 }, 14)).toBe("a-b-1");
    expect(trackAt(art, { x: 40, y: 1 }, 14)).toBe("a-b-2");
    expect(trackAt(art, { x: 40, y: 60 }, 14)).toBeNull();
  });

  test("a press on or beside a dot finds the place", () => {
    expect(placeAt(art, { x: 3, y: 4 }, 0)).toBe("a");
    expect(placeAt(art, { x: 50, y: 0 }, 5)).toBeNull();
  });

  test("arrow keys go to the nearest ahead", () => {
    expect(middleOf(art, "a-b-1")).toEqual({ x: 47.5, y: -8 });
    const points = new Map([
      ["up", { x: 0, y: -50 }],
      ["right", { x: 60, y: 5 }],
      ["far", { x: 200, y: 0 }],
    ]);
    expect(towards({ x: 0, y: 0 }, points, "right")).toBe("right");
    expect(towards({ x: 0, y: 0 }, points, "up")).toBe("up");
    expect(towards({ x: 0, y: 0 }, points, "down")).toBeNull();
  });

  test("names are typed without marks, and a pause begins anew", () => {
    expect([plain("Zürich"), plain("København"), plain("București"), plain("Łódź")]).toEqual([
      "zurich",
      "kobenhavn",
      "bucuresti",
      "lodz",
    ]);
    const typed = new Typed();
    expect([typed.add("P", 0), typed.add("a", 300), typed.add("m", 2000)]).toEqual(["p", "pa", "m"]);
  });
});

test("spaces become one path, locomotives take the middle", () => {
  expect(boxesPath([[10, 10, 0]], 20, 10, 2)).toMatch(/^M2 5L18 5A2 2 0 0 1 20 7L/);
  expect([...locoSpaces(4, 2)]).toEqual([1, 2]);
  expect([...locoSpaces(3, 0)]).toEqual([]);
});
