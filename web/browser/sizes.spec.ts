/** A telephone in the hand: taps, a pinch, the lists; and the smallest window there is. */
import type { CDPSession } from "@playwright/test";
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
        [...track.querySelectorAll(":scope > g[transform]")].some((space) => {
          const { x, y, width, height } = space.getBoundingClientRect();
          return document
            .elementFromPoint(x + width / 2, y + height / 2)
            ?.closest(`[data-track="${track.dataset.track}"]`);
        }),
      )
      .map((track) => track.dataset.track!),
  );
  const found = (await look(page)).tracks.find((track) => inView.includes(track.id));
  expect(found, "a track that can be claimed is in view").toBeTruthy();
  return found!;
}

test("nothing that can be pressed is smaller than a fingertip's least", async ({ page }) => {
  await sitAt(page, { map: "europe", seed: 7, seats: [ME, BOT, BOT] });
  const sight = await begun(page);
  await byId(page, "suggest").tap();
  await byId(page, "keep").tap();
  await answered(page, sight.asked);
  const small = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("button, a[href], select, input, summary, [role=tab]")]
      .map((one) => ({
        box: one.getBoundingClientRect(),
        name: one.getAttribute("aria-label") ?? one.textContent!.trim(),
      }))
      .filter(({ box }) => box.width > 0 && (box.width < 24 || box.height < 24))
      .map(({ box, name }) => `${name}: ${box.width}×${box.height}`),
  );
  expect(small.filter((one) => !one.startsWith("Skip"))).toEqual([]);
});
