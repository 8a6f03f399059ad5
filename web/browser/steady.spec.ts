/** A service that fails for a moment, games it cannot play on, a guest who is not wanted, an address cut short. */
import type { Browser, BrowserContext } from "@playwright/test";
import type { TableLine, TableWire } from "../src/wire.ts";
import { faults } from "./axe.ts";
import { ask, BOT, expect, ME, OPEN, type Page, prepare, sitAt, test } from "./base.ts";
import { Clicks } from "./clicks.ts";
import { answered, begun, byId, type Sight } from "./screen.ts";
import { Service } from "./service.ts";

const count = (sight: Sight) => Object.values(sight.hand).reduce((sum, n) => sum + n, 0);
const BROUGHT_ABOUT = /WebSocket|ERR_CONNECTION|status of (403|409|503)/;

async function guest(
  browser: Browser,
  complaints: string[],
  locale = "en-GB",
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({
    baseURL: process.env.BRANCHLINE_URL!,
    locale,
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
  });
  await prepare(context, complaints);
  return { context, page: await context.newPage() };
}

/** A page at a service of its own, which a test may break. */
async function alone(
  browser: Browser,
  complaints: string[],
  story: (page: Page, service: Service) => Promise<void>,
): Promise<void> {
  const service = await new Service().start();
  const shared = process.env.BRANCHLINE_URL;
  process.env.BRANCHLINE_URL = service.url;
  const { context, page } = await guest(browser, complaints);
  try {
    await story(page, service);
  } finally {
    await context.close();
    await service.stop();
    process.env.BRANCHLINE_URL = shared;
  }
  expect(complaints.filter((line) => !BROUGHT_ABOUT.test(line))).toEqual([]);
}

/** The store takes no new row here until it is mended. */
const breaks = (service: Service, table: string) =>
  service.sql(`CREATE TRIGGER fault BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'broken by a test'); END`);
const mend = (service: Service) => service.sql("DROP TRIGGER fault");

test("a store that fails for a moment: a table, a move, a word and a way out are tried again, and done once", async ({
  browser,
  complaints,
}) => {
  await alone(browser, complaints, async (page, service) => {
    const trying = byId(page, "still-trying");
    const heard: string[] = [];
    page.on("websocket", (socket) => socket.on("framereceived", (frame) => heard.push(String(frame.payload))));
    await page.goto("/");
    await expect(byId(page, "play-now")).toBeEnabled();
    breaks(service, "tables");
    await byId(page, "play-now").click();
    await expect(trying).toBeVisible();
    mend(service);
    let sight = await begun(page);
    await expect(trying).toHaveCount(0);
    expect(await ask<TableLine[]>(page, "/me/tables")).toHaveLength(1);

    await new Clicks(page, new Set()).keep();
    sight = await answered(page, sight.asked);
    breaks(service, "log");
    await byId(page, "draw-deck").click();
    await expect(trying).toBeVisible();
    mend(service);
    const after = await answered(page, sight.asked);
    expect(count(after)).toBe(count(sight) + 1);
    await expect(trying).toHaveCount(0);

    await page.locator("#tab-chat").click();
    breaks(service, "chat");
    await page.getByRole("button", { name: "Hello!", exact: true }).click();
    await expect.poll(() => heard.some((text) => text.includes('"cannot_write"'))).toBe(true);
    mend(service);
    await expect(page.locator(".lines[role=log]")).toContainText("Hello!");
    await expect(page.locator(".lines[role=log] p")).toHaveCount(1);

    breaks(service, "receipts");
    await byId(page, "menu").click();
    const leave = page.getByRole("button", { name: "Leave the table" });
    await leave.click();
    await leave.click();
    const question = page.locator("dialog").getByTestId("not-done");
    await expect(question).toContainText("the server cannot write at the moment");
    expect(await faults(page, "all", false)).toEqual([]);
    mend(service);
    await question.getByTestId("try-again").click();
    await expect(page).toHaveURL(/\/$/);
    await expect(question).toHaveCount(0);
  });
});

test("a game that cannot be played on is put aside: its page says why, and all others go on", async ({
  browser,
  complaints,
}) => {
  await alone(browser, complaints, async (page, service) => {
    const odd = await sitAt(page, { map: "europe", seed: 5, seats: [ME, BOT] });
    const fallow = await sitAt(page, { map: "iberia", seed: 5, seats: [ME, BOT] });
    const good = await sitAt(page, { map: "usa", seed: 5, seats: [ME, BOT] });
    await begun(page);
    await service.kill();
    service.sql(
      `UPDATE tables SET map_hash = 'of another time' WHERE id = '${odd.id}'; UPDATE tables SET state = 'dropped' WHERE id = '${fallow.id}'`,
    );
    await service.start();
    await begun(page); // the good game goes on by itself

    await page.goto(`/t/${odd.id}`);
    await expect(page.getByRole("heading", { name: "This game cannot be played on" })).toBeVisible();
    await expect(byId(page, "aside")).toContainText('the map "europe" is not the one it was begun on');
    expect(await faults(page, "all", false)).toEqual([]);
    await byId(page, "aside").getByRole("link", { name: "My games" }).click();
    const line = page.getByRole("listitem").filter({ hasText: "Put aside" });
    await expect(line).toContainText("Europe");
    await expect(line).not.toContainText("Your turn");
    await expect(page.getByRole("listitem").filter({ hasText: "Your turn" })).toHaveCount(1);
    expect(await faults(page, "all", false)).toEqual([]);
    await line.getByRole("link", { name: "Why?" }).click();
    await expect(byId(page, "aside")).toBeVisible();

    await page.goto(`/t/${fallow.id}`);
    await expect(page.getByRole("heading", { name: "This table was closed" })).toBeVisible();
    await expect(byId(page, "dropped")).toContainText("nobody came back to it");
    await page.goto(`/t/${good.id}`);
    await begun(page);
  });
});

test("the host asks a guest to leave, by keyboard; the guest is told, can watch, and cannot sit down again", async ({
  browser,
  complaints,
}) => {
  const [ana, ben] = [await guest(browser, complaints), await guest(browser, complaints, "ro-RO")];
  const table = await sitAt(ana.page, { map: "usa", seats: [ME, OPEN] });
  await ben.page.goto(`/t/${table.id}`);
  await byId(ben.page, "sit").click();
  await expect(byId(ben.page, "leave")).toBeVisible();
  await expect(ben.page.locator('[data-testid^="remove-"]')).toHaveCount(0); // a guest removes nobody

  const remove = byId(ana.page, "remove-2");
  await expect(byId(ana.page, "remove-1")).toHaveCount(0); // nor a host themselves
  await remove.focus();
  await ana.page.keyboard.press("Enter");
  await expect(byId(ana.page, "keep-2")).toBeFocused();
  await ana.page.keyboard.press("Escape");
  await expect(remove).toBeFocused();
  await ana.page.keyboard.press("Enter");
  await ana.page.keyboard.press("Tab");
  await ana.page.keyboard.press("Enter");
  await expect(byId(ana.page, "put-2")).toBeFocused();
  await expect(ana.page.getByRole("status").filter({ hasText: "was asked to leave" })).toBeAttached();

  await expect(byId(ben.page, "removed")).toContainText("Gazda te-a rugat");
  await expect(byId(ben.page, "sit")).toHaveCount(0);
  expect(await faults(ben.page, "all", false)).toEqual([]);
  await ben.page.reload();
  await byId(ben.page, "sit").click(); // nothing tells the page before it asks
  await expect(byId(ben.page, "removed")).toBeVisible();
  await expect(byId(ben.page, "sit")).toHaveCount(0);

  await byId(ana.page, "put-2").selectOption("passenger");
  await byId(ana.page, "start").click();
  await begun(ana.page);
  await expect(ben.page.locator("[data-track]").first()).toBeAttached();
  expect((await ask<TableWire>(ben.page, `/tables/${table.id}`)).you).toBeNull();
  for (const { context } of [ana, ben]) await context.close();
  expect(complaints.filter((line) => !BROUGHT_ABOUT.test(line))).toEqual([]);
});

test("who leaves by themselves is not told that they were sent away, in whichever window", async ({
  page,
  context,
}) => {
  const table = await sitAt(page, { map: "usa", seats: [ME, OPEN] });
  const host = await context.browser()!.newContext({ baseURL: process.env.BRANCHLINE_URL! });
  const other = await host.newPage();
  await ask(other, "/me");
  await ask(other, `/tables/${table.id}/sit`, {});
  const second = await context.newPage();
  await second.goto(`/t/${table.id}`);
  await expect(byId(second, "leave")).toBeVisible();
  await byId(page, "leave").click();
  for (const window of [page, second]) {
    await expect(byId(window, "sit")).toBeEnabled();
    await expect(byId(window, "removed")).toHaveCount(0);
  }
  await host.close();
});

test("an address cut short in the middle of a letter: there is no such table", async ({ page }) => {
  await page.goto("/t/%E0%A4%A");
  await expect(page.getByRole("heading", { name: "There is no such table" })).toBeVisible();
});
