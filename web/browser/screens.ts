/** Every screen of the page, each with the way there: for whatever has to be true of all of them. */
import { expect, type Page } from "@playwright/test";
import type { CallKind, Calls, TableWire } from "../src/wire.ts";
import { ask, BOT, ME, OPEN } from "./base.ts";
import { answered, begun, byId } from "./screen.ts";

/** Tables in every state, made for one guest. */
export interface World {
  open: string;
  company: string;
  dropped: string;
  begun: string;
  turn: string;
  draft: string;
  over: string;
  device: string;
  /** Others play here: the guest looks on. */
  watched: string;
  /** Before the first decision, for who has never been here. */
  africa: string;
  carpathians: string;
}

async function made(page: Page, map: string, wish: object): Promise<string> {
  return (await ask<TableWire>(page, "/tables", { map, order: "fixed", ...wish })).id;
}

/** A finished game: the guest gets up and a bot plays on. */
export async function finished(page: Page, map: string, seed: number | null = null): Promise<string> {
  const id = await made(page, map, { seats: [ME, BOT], start: true, seed });
  await ask(page, `/tables/${id}/leave`, {});
  await expect
    .poll(async () => (await ask<TableWire>(page, `/tables/${id}`)).state, { timeout: 60_000, intervals: [200] })
    .toBe("over");
  return id;
}

/** A table at which another guest sits too. */
async function withGuest(page: Page, map: string, wish: object = { seats: [ME, OPEN, OPEN] }): Promise<string> {
  const id = await made(page, map, wish);
  const other = await page.context().browser()!.newContext({ baseURL: process.env.BRANCHLINE_URL! });
  await other.request.get("/api/me");
  const origin = process.env.BRANCHLINE_URL!;
  expect((await other.request.post(`/api/tables/${id}/sit`, { data: {}, headers: { origin } })).ok()).toBe(true);
  await other.close();
  return id;
}

/** A table of somebody else, who has said something there. */
async function elsewhere(page: Page, map: string): Promise<string> {
  const context = await page.context().browser()!.newContext({ baseURL: process.env.BRANCHLINE_URL! });
  const other = await context.newPage();
  await ask(other, "/me");
  const id = await made(other, map, { seats: [ME, BOT, BOT], start: true, seed: 7 });
  await context.close();
  return id;
}

/** A table that everybody has left. */
async function left(page: Page, map: string): Promise<string> {
  const id = await made(page, map, { seats: [ME, OPEN] });
  await ask(page, `/tables/${id}/leave`, {});
  return id;
}

export async function worldOf(page: Page): Promise<World> {
  await ask(page, "/me");
  return {
    open: await made(page, "iberia", { seats: [ME, OPEN, BOT], listed: true }),
    company: await withGuest(page, "usa"),
    dropped: await left(page, "usa"),
    begun: await made(page, "usa", { seats: [ME, BOT], start: true, seed: 7 }),
    turn: await made(page, "europe", { seats: [ME, BOT, BOT], start: true, seed: 7 }),
    draft: await made(page, "iberia", { seats: [ME, BOT], start: true, seed: 7 }),
    over: await finished(page, "africa"),
    watched: await elsewhere(page, "europe"),
    africa: await made(page, "africa", { seats: [ME, BOT], start: true, seed: 7 }),
    carpathians: await made(page, "carpathians", { seats: [ME, BOT, BOT, BOT, BOT], start: true, seed: 7 }),
    device: await made(page, "usa", {
      seats: [
        { kind: "here", name: "Ana" },
        { kind: "here", name: "Ben" },
      ],
    }),
  };
}

/** How somebody is called back who wants all of it: the service of these tests sends no mail, so its answer is put in. */
async function called(page: Page): Promise<void> {
  const all: CallKind[] = ["turn", "friend", "over", "nudge"];
  await page.context().grantPermissions(["notifications"]);
  const told: Calls = {
    settings: { push: all, mail: all, quiet: { start: "22:00", end: "08:00", zone: "Europe/Bucharest" } },
    devices: [
      { id: "x", name: "Chrome, Android", created: 1 },
      { id: "y", name: "Firefox, Linux", created: 1 },
    ],
    mail: { address: "maria.magdalena.constantinescu@mail.example.org", confirmed: false },
    mail_offered: true,
    key: "x",
  };
  await page.route("**/api/me/calls", (route) => route.fulfill({ json: told }));
  await plain("/settings")(page);
  await expect(byId(page, "drop-mail")).toBeVisible();
  await page.unroute("**/api/me/calls");
}

/** A game with days, in which another guest chooses: shall this browser be told of the next turn? */
async function offered(page: Page): Promise<void> {
  await page.context().grantPermissions(["notifications"]);
  const id = await withGuest(page, "usa", { seats: [ME, OPEN], clock: { kind: "days", days: 2 }, seed: 7 });
  await ask(page, `/tables/${id}/start`, {});
  await page.goto(`/t/${id}`);
  await begun(page);
  await byId(page, "suggest").click();
  await byId(page, "keep").click();
  await expect(byId(page, "call-offer")).toBeVisible();
}

/** At the table, past the first tickets, nothing open. Who sits there already only puts things away. */
async function atTurn(page: Page, world: World): Promise<void> {
  if (new URL(page.url(), "http://x").pathname === `/t/${world.turn}`) {
    await page.keyboard.press("Escape");
    const words = page.locator('[data-testid="text-view"][aria-pressed="true"]');
    if (await words.count()) await words.click();
    await expect(page.locator('[role="dialog"], dialog[open]')).toHaveCount(0);
    return;
  }
  await page.goto(`/t/${world.turn}`);
  const sight = await begun(page);
  if (sight.scene === "ticket-choice") {
    await byId(page, "suggest").click();
    await byId(page, "keep").click();
    await answered(page, sight.asked);
  }
}

/** At the first turn of a table of its own, past the first tickets. */
async function firstTurn(page: Page, id: string): Promise<void> {
  await page.goto(`/t/${id}`);
  const sight = await begun(page);
  if (sight.scene !== "ticket-choice") return;
  await byId(page, "suggest").click();
  await byId(page, "keep").click();
  await answered(page, sight.asked);
}

/** The price of the first track of the list whose sheet says this. */
async function priceWith(page: Page, id: string, fact: string): Promise<void> {
  await firstTurn(page, id);
  await byId(page, "claims").click();
  const rows = byId(page, "claim-list").locator("li button");
  await expect(rows.first()).toBeVisible();
  for (let i = 0; i < (await rows.count()); i++) {
    await rows.nth(i).click();
    await expect(byId(page, "confirm-claim")).toBeVisible();
    if (await byId(page, fact).count()) return;
    await page.keyboard.press("Escape");
    await byId(page, "claims").click();
  }
  throw new Error(`no price says: ${fact}`);
}

/** As somebody sees it who has never been here: what base.ts put there is not found. */
async function anew(page: Page, key: "seenFirst" | "seenLessons", story: () => Promise<void>): Promise<void> {
  await page.addInitScript((name) => {
    if (sessionStorage.getItem("anew") !== name) return;
    const get = Storage.prototype.getItem;
    Storage.prototype.getItem = function (wanted: string) {
      return wanted === name ? null : get.call(this, wanted);
    };
  }, key);
  await page.evaluate((name) => sessionStorage.setItem("anew", name), key);
  await story();
  await page.evaluate(() => sessionStorage.removeItem("anew"));
}

async function withClaims(page: Page, world: World): Promise<void> {
  await atTurn(page, world);
  await byId(page, "claims").click();
  await expect(byId(page, "claim-list")).toBeVisible();
}

async function inDialog(page: Page, world: World, name: "menu" | "help"): Promise<void> {
  await atTurn(page, world);
  await byId(page, "menu").click();
  if (name === "help")
    await byId(page, "dialog-menu").locator("button:has(kbd), li:nth-child(5) button").first().click();
  await expect(byId(page, `dialog-${name}`)).toBeVisible();
}

async function tab(page: Page, world: World, name: string): Promise<void> {
  await atTurn(page, world);
  await page.locator(`#tab-${name}`).click();
  await expect(page.locator(`#tab-${name}`)).toHaveAttribute("aria-selected", "true");
}

const plain = (path: string) => async (page: Page) => {
  await page.goto(path);
  await settled(page);
};

/** Nothing is being fetched any more. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator("h1").first()).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
}

/** The screens that need no table. */
export const PAGES: Record<string, (page: Page, world: World) => Promise<void>> = {
  front: plain("/"),
  new: plain("/new?friends=1"),
  pass: plain("/pass"),
  lobby: plain("/lobby"),
  games: plain("/games"),
  settings: plain("/settings"),
  carry: async (page) => {
    await plain("/carry")(page);
    await byId(page, "carry-make").click();
    await expect(byId(page, "carry-qr")).toBeVisible();
  },
  carried: async (page) => {
    const { link } = await ask<{ link: string }>(page, "/me/carry", {});
    await page.goto("/about"); // so that the address is another one
    await page.goto(`/carry${new URL(link).hash}`);
    await expect(byId(page, "carry-found")).toBeVisible();
  },
  called,
  mailEnd: plain("/api/mail/stop/x.y.z"),
  mailEnded: async (page) => {
    await page.goto("/api/mail/stop/x.y.z");
    await page.locator("button").click();
    await expect(page.locator("form")).toHaveCount(0);
  },
  about: plain("/about"),
  learn: plain("/learn"),
  lesson: async (page) => {
    await page.goto("/learn");
    await page.locator(".lesson button").first().click();
    await expect(page.locator("dialog[open]")).toBeVisible();
  },
  rules: plain("/rules/africa"),
  clause: plain("/rules/europe?clause=EUR-07"),
  nowhere: plain("/nowhere"),
};

export const TABLES: typeof PAGES = {
  room: (page, world) => plain(`/t/${world.open}`)(page),
  removing: async (page, world) => {
    await plain(`/t/${world.company}`)(page);
    await byId(page, "remove-2").click();
    await expect(byId(page, "keep-2")).toBeFocused();
  },
  dropped: (page, world) => plain(`/t/${world.dropped}`)(page),
  putAside: async (page, world) => {
    const reason = { reason: 'this game was put aside: the map "x" is gone', code: "put_aside" };
    await page.routeWebSocket(`**/${world.dropped}/live`, (socket) => void socket.close({ code: 4409, reason: "" }));
    await page.route(`**/api/tables/${world.dropped}`, (route) => route.fulfill({ status: 409, json: reason }));
    await plain(`/t/${world.dropped}`)(page);
    await expect(byId(page, "aside")).toContainText("is gone");
  },
  begun: async (page, world) => {
    await page.goto(`/t/${world.begun}`);
    await begun(page);
  },
  offered,
  curtain: async (page, world) => {
    await page.goto(`/t/${world.device}`);
    await expect(byId(page, "lift")).toBeVisible();
  },
  draft: async (page, world) => {
    await page.goto(`/t/${world.draft}`);
    await begun(page);
  },
  turn: atTurn,
  claims: withClaims,
  price: async (page, world) => {
    await withClaims(page, world);
    await byId(page, "claim-list").locator("li button").first().click();
    await expect(byId(page, "confirm-claim")).toBeVisible();
  },
  stations: async (page, world) => {
    await atTurn(page, world);
    await byId(page, "station").click();
    await expect(byId(page, "station-list")).toBeVisible();
  },
  station: async (page, world) => {
    await atTurn(page, world);
    await byId(page, "station").click();
    await byId(page, "station-list").getByRole("list").getByRole("button").first().click();
    await expect(byId(page, "confirm-claim")).toBeVisible();
  },
  paths: async (page, world) => {
    await tab(page, world, "tickets");
    await byId(page, "all-paths").click();
    await expect(page.locator("path[data-way]").first()).toBeAttached();
  },
  alone: async (page, world) => {
    await atTurn(page, world);
    await page.locator('[data-tour="players"] button[aria-expanded=false]').first().click();
    await page.locator('[data-tour="players"] button[aria-expanded=false]').first().click();
    await byId(page, "alone-1").click();
    await expect(byId(page, "alone")).toBeVisible();
  },
  doubling: (page, world) => priceWith(page, world.africa, "doubling"),
  mail: (page, world) => priceWith(page, world.carpathians, "mail-asks"),
  first: (page, world) =>
    anew(page, "seenFirst", async () => {
      await page.goto(`/t/${world.begun}`);
      await expect(byId(page, "first-time")).toBeVisible();
    }),
  lessonOffer: (page, world) =>
    anew(page, "seenLessons", async () => {
      await page.goto(`/t/${world.turn}`);
      await expect(byId(page, "lesson-offer")).toBeVisible();
    }),
  watched: async (page, world) => {
    await page.goto(`/t/${world.watched}`);
    await expect(page.locator("[data-track]").first()).toBeAttached();
  },
  aside: async (page, world) => {
    await page.goto(`/t/${world.watched}`);
    await page.locator("#tab-chat").click();
    await page.locator("#tabpanel input").fill("37 × 8"); // in no language
    await page.keyboard.press("Enter");
    await expect(page.locator(".lines .aside")).toBeVisible();
  },
  menu: (page, world) => inDialog(page, world, "menu"),
  help: (page, world) => inDialog(page, world, "help"),
  log: (page, world) => tab(page, world, "log"),
  chat: (page, world) => tab(page, world, "chat"),
  words: async (page, world) => {
    await atTurn(page, world);
    if (!(await byId(page, "text-view").count())) await byId(page, "menu").click(); // a small screen has it in the menu
    await page.locator('[data-testid="menu-text"], [data-testid="text-view"]').last().click();
    await expect(byId(page, "command")).toBeVisible();
    await page.evaluate(() => localStorage.removeItem("textView")); // not for the screens after it
  },
  end: async (page, world) => {
    await page.goto(`/t/${world.over}`);
    await expect(byId(page, "end-show")).toBeVisible();
    await expect(byId(page, "record")).toBeVisible();
  },
  replay: async (page, world) => {
    await page.goto(`/replay/${world.over}#move=30`);
    await expect(byId(page, "replay-words")).toBeVisible();
  },
  fair: async (page, world) => {
    await page.goto(`/fair/${world.over}`);
    await expect(byId(page, "fair-result")).toBeVisible();
  },
};
