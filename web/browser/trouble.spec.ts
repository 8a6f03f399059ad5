/** When things go wrong: a reload, a lost line, a dead server, a change of mind. */
import type { WebSocketRoute } from "@playwright/test";
import { BOT, expect, ME, type Page, prepare, sitAt, test } from "./base.ts";
import { Clicks } from "./clicks.ts";
import { decide } from "./policy.ts";
import { answered, begun, byId, type Sight } from "./screen.ts";
import { Service } from "./service.ts";

/** Plays on until a track can be claimed whose claim goes on with a question; leaves the game there. */
async function untilScene(page: Page, scene: string, wanted: string[]): Promise<Sight> {
  const clicks = new Clicks(page, new Set());
  let sight = await begun(page);
  for (let deeds = 0; sight.scene !== scene; deeds++) {
    expect(deeds, `no ${scene}`).toBeLessThan(200);
    await clicks.do(decide(sight, new Set(wanted)), sight);
    sight = await answered(page, sight.asked);
  }
  return sight;
}

const score = (page: Page) => page.locator('[data-tour="players"] [data-fly="seat-0"]').textContent();

test("a claim in the making survives a reload, and can be taken back", async ({ page }) => {
  await sitAt(page, { map: "iberia", seed: 7, seats: [ME, BOT] });
  const before = await untilScene(page, "festival-choice", ["festival choice"]);
  const owned = before.tracks.filter((track) => track.state.includes("claimed")).length;

  await page.reload();
  const again = await begun(page);
  expect(again.scene).toBe("festival-choice");
  expect(again.hand).toEqual(before.hand);

  await byId(page, "festival-choice").getByRole("button", { name: "Undo" }).click();
  let sight = await answered(page, again.asked);
  while (sight.scene === "pay-choice") {
    await byId(page, "undo").click(); // the choice of the locomotives was a choice of its own
    sight = await answered(page, sight.asked);
  }
  expect(sight.scene).toBeNull();
  expect(sight.tracks.filter((track) => track.state.includes("claimed"))).toHaveLength(owned);
  expect(sight.buttons).toContain("claims"); // the whole turn is open again
});

/** A line that can be cut: whoever holds the scissors decides what gets through. */
class Line {
  cut = false;
  deaf = false; // what the server says is lost on the way
  #open = new Set<WebSocketRoute>();

  async lay(page: Page): Promise<void> {
    await page.routeWebSocket(/\/live$/, (socket) => {
      if (this.cut) return void socket.close();
      const server = socket.connectToServer();
      this.#open.add(socket);
      server.onMessage((message) => this.deaf || socket.send(message));
    });
  }

  /** Both ends are gone at once. */
  async sever(): Promise<void> {
    this.cut = true;
    for (const socket of this.#open) await socket.close();
    this.#open.clear();
  }

  mend(): void {
    this.cut = this.deaf = false;
  }
}

const count = (sight: Sight) => Object.values(sight.hand).reduce((sum, n) => sum + n, 0);
const lost = (page: Page) => page.getByRole("alert").filter({ hasText: "The connection is lost" });

test("a lost line: the page says so, holds the move, and sends it once when the line is back", async ({ page }) => {
  const line = new Line();
  await line.lay(page);
  await sitAt(page, { map: "usa", seed: 3, seats: [ME, BOT] });
  let sight = await begun(page);
  await new Clicks(page, new Set()).keep();
  sight = await answered(page, sight.asked);

  await line.sever();
  await expect(lost(page)).toBeVisible();
  await byId(page, "draw-deck").click(); // nobody hears it
  line.mend();
  let after = await answered(page, sight.asked);
  await expect(lost(page)).toBeHidden();
  expect(count(after)).toBe(count(sight) + 1);

  // The server hears the move, the page does not hear the answer: sent again, it counts once.
  line.deaf = true;
  await byId(page, "draw-deck").click();
  await line.sever();
  await expect(lost(page)).toBeVisible();
  line.mend();
  sight = after;
  after = await answered(page, sight.asked);
  expect(count(after)).toBe(count(sight) + 1);
});

test("a server killed in the middle of a turn loses nothing, and the page comes back by itself", async ({
  browser,
  complaints,
}) => {
  const service = await new Service().start();
  const shared = process.env.BRANCHLINE_URL;
  process.env.BRANCHLINE_URL = service.url;
  const context = await browser.newContext({
    baseURL: service.url,
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
    locale: "en-GB",
  });
  try {
    await prepare(context, complaints);
    const page = await context.newPage();
    await sitAt(page, { map: "usa", seed: 5, seats: [ME, BOT] });
    let sight = await begun(page);
    await new Clicks(page, new Set()).keep();
    sight = await answered(page, sight.asked);
    await byId(page, "draw-deck").click(); // the first of two cards
    sight = await answered(page, sight.asked);
    const players = await score(page);

    await service.kill();
    await expect(lost(page)).toBeVisible();
    await byId(page, "draw-deck").click(); // pressed while nobody listens: it is sent when somebody does
    await service.start();
    await expect(lost(page)).toBeHidden({ timeout: 30_000 });
    const after = await answered(page, sight.asked);
    expect(count(after)).toBe(count(sight) + 1);
    expect(after.trains).toBe(sight.trains);
    expect(players).toContain("45");

    await page.reload(); // and what the server says from its log is the same
    const told = await begun(page);
    expect(told.hand).toEqual(after.hand);
    expect(told.display).toEqual(after.display);
    expect(told.asked).toBe(after.asked);
  } finally {
    await context.close();
    await service.stop();
    process.env.BRANCHLINE_URL = shared;
  }
  expect(complaints.filter((line) => !/WebSocket|ERR_CONNECTION/.test(line))).toEqual([]);
});
