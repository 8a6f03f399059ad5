/** What has to be true of the board on every screen, whatever stands below it: measured on the page. */
import { expect, type Page } from "@playwright/test";
import type { BoardArt } from "../src/board/types.ts";

export interface Measure {
  /** Part of the screen that the map's window takes, and part of that which the drawing fills. */
  part: number;
  fill: number;
  box: string;
  /** Pixels of the smallest label in view. */
  label: number;
  /** Cities and spaces in view over which something else lies. */
  covered: string[];
  /** How far apart in height the cards of the hand lie, and those of the display: in one row a lifted card's worth. */
  spread: { hand: number; display: number };
  /** What reaches over the edge of the screen. */
  outside: string[];
}

const drawn = new Map<string, BoardArt>();
async function artOf(page: Page, map: string): Promise<BoardArt> {
  if (!drawn.has(map))
    drawn.set(
      map,
      (await (
        await page.request.get(new URL(`/boards/${map}.json`, process.env.BRANCHLINE_URL).href)
      ).json()) as BoardArt,
    );
  return drawn.get(map)!;
}

export async function measure(page: Page, map: string): Promise<Measure> {
  const art = await artOf(page, map);
  const spots = [
    ...Object.entries(art.places).map(([id, { x, y }]) => ({ id, x, y })),
    ...Object.entries(art.tracks).flatMap(([id, track]) => track.slots.map(([x, y]) => ({ id, x, y }))),
  ];
  return page.evaluate((all) => {
    const map = document.querySelector<HTMLElement>('[data-testid="map"]')!;
    const [window, board] = [map.getBoundingClientRect(), map.querySelector<SVGSVGElement>("svg[role=group]")!];
    const sheet = board.getBoundingClientRect();
    const over = (a: number, b: number, c: number, d: number) => Math.max(0, Math.min(b, d) - Math.max(a, c));
    const area =
      over(window.left, window.right, sheet.left, sheet.right) *
      over(window.top, window.bottom, sheet.top, sheet.bottom);
    const matrix = board.getScreenCTM()!;
    const inView = ({ x, y }: { x: number; y: number }) =>
      x > window.left + 1 && x < window.right - 1 && y > window.top + 1 && y < window.bottom - 1;
    const seen = all
      .map(({ id, x, y }) => ({
        id,
        ...(new DOMPoint(x, y).matrixTransform(matrix).toJSON() as { x: number; y: number }),
      }))
      .filter(inView);
    const labels = [...board.querySelectorAll<SVGTextElement>("text.label")]
      .filter((label) => {
        const { x, y, width, height } = label.getBoundingClientRect();
        return inView({ x: x + width / 2, y: y + height / 2 });
      })
      .map((label) => {
        const own = label.getScreenCTM()!;
        return Number.parseFloat(getComputedStyle(label).fontSize) * Math.hypot(own.a, own.b);
      });
    const tall = (selector: string) => {
      const tops = [...document.querySelectorAll(selector)].map((card) => card.getBoundingClientRect().top);
      return tops.length ? Math.max(...tops) - Math.min(...tops) : 0;
    };
    /** Within a line that ends in "…" where it is too long. */
    const shortened = (one: HTMLElement | null): boolean =>
      one !== null && (getComputedStyle(one).textOverflow === "ellipsis" || shortened(one.parentElement));
    const outside = [...document.querySelectorAll<HTMLElement>("main *:not(.visually-hidden)")]
      .filter((one) => !one.closest("svg, .visually-hidden") && one.checkVisibility())
      .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && one.getBoundingClientRect().width > 2)
      .filter((one) => !shortened(one.parentElement))
      .map((one) => `${one.tagName}.${one.className}`);
    if (document.documentElement.scrollWidth > document.documentElement.clientWidth)
      outside.push("the page scrolls sideways");
    return {
      part: (window.width * window.height) / (screen.width * screen.height),
      fill: area / (window.width * window.height),
      box: [window.x, window.y, window.width, window.height].map(Math.round).join(" "),
      label: Math.min(...labels),
      covered: [
        ...new Set(
          seen
            .filter(({ x, y }) => !document.elementFromPoint(x, y)?.closest('[data-testid="map"] svg'))
            .map(({ id }) => id),
        ),
      ],
      spread: { hand: tall('[data-tour="hand"] .playing-card'), display: tall('[data-tour="display"] .playing-card') },
      outside,
    };
  }, spots);
}

/** The board can be played on: half of the screen, filled, legible, nothing over it, nothing beside the screen. */
export async function sound(page: Page, map: string, about: string, part = 0.5, oneRow = true): Promise<Measure> {
  const now = await measure(page, map);
  expect(now.part, `${about}: part of the screen`).toBeGreaterThanOrEqual(part);
  expect(now.fill, `${about}: the map fills its window`).toBeGreaterThanOrEqual(0.8);
  expect(now.label, `${about}: the smallest label`).toBeGreaterThanOrEqual(9);
  expect(now.covered, `${about}: covered`).toEqual([]);
  if (oneRow)
    for (const [what, apart] of Object.entries(now.spread))
      expect(apart, `${about}: the ${what} is one row`).toBeLessThanOrEqual(12);
  expect(now.outside, `${about}: over the edge`).toEqual([]);
  return now;
}
