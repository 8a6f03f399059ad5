/** Several people on one device: a curtain between turns, and nothing behind it that was not asked for. */
import type { Browser } from "@playwright/test";
import type { TableWire } from "../src/wire.ts";
import { faults } from "./axe.ts";
import { ask, expect, type Page, prepare, test } from "./base.ts";
import { answered, begun, byId } from "./screen.ts";
import { Service } from "./service.ts";

/** A service of its own, and a device at it; `told` is all that came over its streams. */
async function device(
  browser: Browser,
  complaints: string[],
  phone: boolean,
  story: (page: Page, service: Service, told: string[]) => Promise<void>,
): Promise<void> {
  const service = await new Service().start();
  const shared = process.env.BRANCHLINE_URL;
  process.env.BRANCHLINE_URL = service.url;
  const viewport = phone ? { width: 390, height: 844 } : { width: 1280, height: 800 };
  const context = await browser.newContext({
    baseURL: service.url,
    locale: "en-GB",
    viewport,
    hasTouch: phone,
    reducedMotion: "reduce",
  });
  const told: string[] = [];
  try {
    await prepare(context, complaints);
    const page = await context.newPage();
    page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => void told.push(String(payload))));
    await story(page, service, told);
  } finally {
    await context.close();
    await service.stop();
    process.env.BRANCHLINE_URL = shared;
  }
  expect(complaints.filter((line) => !/WebSocket|ERR_CONNECTION/.test(line))).toEqual([]);
}

async function start(page: Page): Promise<string> {
  await page.goto("/pass");
  await byId(page, "pass-name-1").fill("Ana");
  await byId(page, "pass-name-2").fill("Ben");
  await byId(page, "pass-start").click();
  await expect(byId(page, "curtain")).toBeVisible();
  return new URL(page.url()).pathname.split("/")[2]!;
}

/** Who is called to the device. */
const called = async (page: Page): Promise<string> =>
  (await byId(page, "lift").textContent())!.includes("Ana") ? "Ana" : "Ben";

async function lift(page: Page): Promise<string> {
  const name = await called(page);
  await byId(page, "lift").click();
  await begun(page);
  return name;
}

async function keepTickets(page: Page): Promise<void> {
  await byId(page, "suggest").click();
  await byId(page, "keep").click();
}

/** Seats that the frames told something to, but for spectators' frames. */
const readers = (told: string[]): Set<number | null> =>
  new Set(
    told.flatMap((text) =>
      text.includes('"t":"update"') ? [(JSON.parse(text) as { view: { reader: number | null } }).view.reader] : [],
    ),
  );

test("two people pass one device on, through a power cut, and see nothing of each other", async ({
  browser,
  complaints,
}) => {
  await device(browser, complaints, false, async (page, service, told) => {
    await page.goto("/");
    await byId(page, "pass-and-play").click();
    await expect(byId(page, "pass-start")).toBeDisabled();
    expect(await faults(page, "all", false)).toEqual([]);
    await start(page);
    await expect(byId(page, "lift")).toBeFocused();
    expect(await faults(page, "all", false)).toEqual([]);
    expect([...readers(told)]).toEqual([null]); // no hand has been sent

    told.length = 0;
    const first = await lift(page);
    const [seat] = [...readers(told)];
    expect(typeof seat).toBe("number");
    expect([...readers(told)]).toHaveLength(1);
    await keepTickets(page);
    await byId(page, "pass-on").click();
    await expect(byId(page, "curtain")).toBeVisible();
    await expect(page.locator('[data-tour="hand"], [data-tour="tickets"], [data-track]')).toHaveCount(0);
    expect(await called(page)).not.toBe(first);

    await service.kill();
    await service.start();
    await page.reload();
    await expect(byId(page, "lift")).toBeVisible({ timeout: 30_000 });
    told.length = 0;
    const second = await lift(page);
    expect(second).not.toBe(first);
    expect(readers(told).has(seat!)).toBe(false);
    await keepTickets(page);

    // A whole turn: whoever drew two cards looks at them before the curtain falls.
    await byId(page, "pass-on").click();
    await expect(byId(page, "lift")).toBeVisible();
    const mover = await lift(page);
    const sight = await begun(page);
    await byId(page, "draw-deck").click();
    await answered(page, sight.asked);
    await byId(page, "draw-deck").click();
    await expect(byId(page, "pass-done")).toBeVisible();
    await expect(page.locator('[data-tour="hand"]')).toBeVisible();
    await byId(page, "pass-on").click();
    expect(await called(page)).not.toBe(mover);
    await page.goto("/games");
    await expect(page.getByText("Ana").first()).toBeVisible();
    await expect(page.getByText("Ben").first()).toBeVisible();
  });
});

test("on a phone the end is for all, and the same people play again", async ({ browser, complaints }) => {
  await device(browser, complaints, true, async (page) => {
    const id = await start(page);
    expect(await faults(page, "all", false)).toEqual([]);
    await byId(page, "lift").tap();
    await begun(page);
    await keepTickets(page);
    await expect(byId(page, "pass-done")).toBeVisible();
    await byId(page, "pass-on").tap();
    await expect(byId(page, "lift")).toBeVisible();

    await ask(page, `/tables/${id}/leave`, {}); // bots play it out for both
    await expect
      .poll(async () => (await ask<TableWire>(page, `/tables/${id}`)).state, { timeout: 60_000 })
      .toBe("over");
    await page.goto(`/t/${id}`);
    await expect(byId(page, "end-show")).toBeVisible();
    await byId(page, "rematch").click();
    await expect(byId(page, "curtain")).toBeVisible();
    expect(new URL(page.url()).pathname).not.toBe(`/t/${id}`);
  });
});
