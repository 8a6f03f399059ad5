/** A telephone in the hand: taps, a pinch, the lists; and the smallest window there is. */
import type { CDPSession } from "@playwright/test";
import { placeAt, REACH } from "../src/board/find.ts";
import type { BoardArt } from "../src/board/types.ts";
import { faults } from "./axe.ts";
import { BOT, expect, ME, type Page, sitAt, test } from "./base.ts";
import { answered, begun, byId, clickTrack, look } from "./screen.ts";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });

/** Two fingers move apart around a point. */
async function pinch(page: Page, at: { x: number; y: number }): Promise<void> {
  const client: CDPSession = await page.context().newCDPSession(page);
  const fingers = (apart: number) => [
    { x: at.x - apart, y: at.y, id: 0 },
    { x: at.x + apart, y: at.y, id: 1 },
  ];
  await client.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: fingers(20) });
  for (const apart of [35, 50, 65, 80])
    await client.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: fingers(apart) });
  await client.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

const boardWidth = (page: Page) =>
  page
    .locator(".board svg[viewBox]")
    .first()
    .evaluate((board) => board.getBoundingClientRect().width);

test("some turns on a telephone, a claim from the list and one on the board", async ({ page }) => {
  await sitAt(page, { map: "usa", seed: 7, seats: [ME, BOT] });
  let sight = await begun(page);
  await byId(page, "suggest").tap();
  await byId(page, "keep").tap();
  sight = await answered(page, sight.asked);

  for (const place of ["draw-deck", "deck"]) {
    await byId(page, place).tap();
    sight = await answered(page, sight.asked);
  }

  await byId(page, "claims").tap();
  const [first] = await byId(page, "claim-list").locator("li button").all();
  const name = (await first!.getAttribute("aria-label"))!.split(",")[0]!;
  await first!.tap();
  await byId(page, "confirm-claim").tap();
  sight = await answered(page, sight.asked);
  expect(sight.tracks.some((track) => track.ends === name && track.state.startsWith("claimed"))).toBe(true);

  const before = await boardWidth(page);
  await pinch(page, { x: 195, y: 300 });
  await expect.poll(() => boardWidth(page)).toBeGreaterThan(before * 1.5);
  const target = await reachable(page);
  await clickTrack(page, target.id, true);
  await expect(byId(page, "price-sheet").getByRole("heading")).toHaveText(target.ends);
  await byId(page, "confirm-claim").tap();
  sight = await answered(page, sight.asked);
  expect(sight.tracks.find((track) => track.id === target.id)!.state).toMatch(/^claimed/);

  for (const tab of ["tickets", "players", "log", "chat", "play"]) {
    await page.locator(`#tab-${tab}`).tap();
    await expect(page.locator(`#tab-${tab}`)).toHaveAttribute("aria-selected", "true");
  }
});

/** A track that can be claimed and lies in the window. */
async function reachable(page: Page) {
  const inView = await page.evaluate(() =>
    [...document.querySelectorAll<SVGElement>("[data-track].legal")]
      .filter((track) =>
        window
          .spacesOf(track)
          .some(({ x, y }) => document.elementFromPoint(x, y)?.closest(`[data-track="${track.dataset.track}"]`)),
      )
      .map((track) => track.dataset.track!),
  );
  const found = (await look(page)).tracks.find((track) => inView.includes(track.id));
  expect(found, "a track that can be claimed is in view").toBeTruthy();
  return found!;
}

const LEAST = 24; // pixels: WCAG 2.2, 2.5.8

/** What can be pressed and is smaller than the least. */
const small = (page: Page, about: string) =>
  page.evaluate(
    ([least, where]) =>
      [...document.querySelectorAll<HTMLElement>("button, a[href], select, input, summary, [role=tab]")]
        .map((one) => ({
          // a box to tick is pressed by its label too
          box: (one.matches("input") ? (one.closest("label") ?? one) : one).getBoundingClientRect(),
          name: one.getAttribute("aria-label") ?? one.textContent!.trim(),
        }))
        .filter(({ box, name }) => box.width > 0 && !name.startsWith("Skip"))
        .filter(({ box }) => box.width < least || box.height < least)
        .map(({ box, name }) => `${where}: ${name} ${box.width}×${box.height}`),
    [LEAST, about] as const,
  );

test("nothing that can be pressed is smaller than a fingertip's least, behind any tab and in any sheet", async ({
  page,
}) => {
  await sitAt(page, { map: "europe", seed: 7, seats: [ME, BOT, BOT, BOT, BOT] });
  const sight = await begun(page);
  expect(await small(page, "the first tickets")).toEqual([]);
  await byId(page, "suggest").tap();
  await byId(page, "keep").tap();
  await answered(page, sight.asked);
  const found = await small(page, "a turn");
  for (const tab of ["tickets", "players", "log", "chat", "play"]) {
    await page.locator(`#tab-${tab}`).tap();
    await expect(page.locator(`#tab-${tab}`)).toHaveAttribute("aria-selected", "true");
    if (tab === "players")
      for (const more of await page.locator(".player button[aria-expanded]").all()) await more.tap();
    if (tab === "log") await expect(page.locator("#tabpanel p, #tabpanel li").first()).toBeVisible();
    found.push(...(await small(page, tab)), ...(await faults(page, "look", false)));
  }
  for (const [list, opened] of [
    ["claims", "claim-list"],
    ["station", "station-list"],
  ] as const) {
    await byId(page, list).tap();
    await expect(byId(page, opened)).toBeVisible();
    found.push(...(await small(page, opened)));
    await byId(page, opened).getByRole("list").getByRole("button").first().tap();
    await expect(byId(page, "confirm-claim")).toBeVisible();
    found.push(...(await small(page, `${opened}, a price`)));
    await byId(page, "price-sheet").getByRole("button", { name: "Close" }).tap();
    await expect(byId(page, "price-sheet")).toHaveCount(0);
  }
  await byId(page, "draw-tickets").tap();
  await expect(byId(page, "confirm-tickets")).toBeVisible();
  found.push(...(await small(page, "a question")));
  for (const open of ["menu", "help"]) {
    await byId(page, "menu").tap();
    if (open === "help")
      await byId(page, "dialog-menu")
        .getByRole("button", { name: /Keyboard/ })
        .tap();
    await expect(byId(page, `dialog-${open}`)).toBeVisible();
    found.push(...(await small(page, open)));
    await page.keyboard.press("Escape");
    await expect(page.locator("dialog[open]")).toHaveCount(0);
  }
  expect(found).toEqual([]);
});

test("every city has a fingertip's least to itself, as the map first stands on a telephone", async ({ page }) => {
  for (const map of ["usa", "europe", "iberia", "africa", "carpathians"]) {
    await sitAt(page, { map, seed: 7, seats: [ME, BOT] });
    await begun(page);
    const art = (await (await page.request.get(`/boards/${map}.json`)).json()) as BoardArt;
    const scale = await page
      .locator('[data-testid="map"] svg[role=group]')
      .evaluate((board: SVGSVGElement) => board.getScreenCTM()!.a);
    const round = Array.from({ length: 16 }, (_, i) => (i * Math.PI) / 8);
    // The entries of one country stand side by side; no rule lets one of them be chosen.
    const narrow = Object.entries(art.places).flatMap(([id, { x, y }]) => {
      const far = (LEAST / 2 - 0.01) / scale;
      const found = round.map((angle) =>
        placeAt(art, { x: x + far * Math.cos(angle), y: y + far * Math.sin(angle) }, REACH.finger / 2 / scale),
      );
      return found.every((place) => place?.replace(/_\d$/, "") === id.replace(/_\d$/, ""))
        ? []
        : [`${id}: ${[...new Set(found)].join(", ")}`];
    });
    expect(narrow, map).toEqual([]);
  }
});

test("a tap beside a city finds the city, where one is chosen", async ({ page }) => {
  await sitAt(page, { map: "europe", seed: 7, seats: [ME, BOT] });
  const sight = await begun(page);
  await byId(page, "suggest").tap();
  await byId(page, "keep").tap();
  await answered(page, sight.asked);
  await byId(page, "station").tap();
  const city = page.locator('[data-place][role="button"]');
  const seen = await city.evaluateAll((all) =>
    all.flatMap((one) => {
      const box = one.querySelector(".dot")!.getBoundingClientRect();
      const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      const free = document.elementFromPoint(at.x, at.y)?.closest("[data-place]") === one;
      return free && at.x > 30 && at.x < 360 && at.y > 80 && at.y < 460
        ? [{ name: one.getAttribute("aria-label")!, ...at }]
        : [];
    }),
  );
  expect(seen.length).toBeGreaterThan(5);
  const { name, x, y } = seen[0]!;
  await page.touchscreen.tap(x + LEAST / 2 - 1, y);
  await expect(byId(page, "price-sheet").getByRole("heading")).toContainText(name.split(",")[0]!);
});
