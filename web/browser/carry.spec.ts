/** Called back: waiting turns wherever one is, one guest on two devices, and invitations that friends can open. */
import { type Browser, type BrowserContext } from "@playwright/test";
import type { TableWire } from "../src/wire.ts";
import { ask, BOT, expect, ME, OPEN, type Page, prepare, sitAt, test } from "./base.ts";
import { begun, byId } from "./screen.ts";
import { Service } from "./service.ts";

declare global {
  interface Window {
    badges: number[];
  }
}

/** Notes what the app's icon would show. */
const noteBadges = (context: BrowserContext) =>
  context.addInitScript(() => {
    window.badges = [];
    Object.assign(navigator, {
      setAppBadge: async (n: number) => void window.badges.push(n),
      clearAppBadge: async () => void window.badges.push(0),
    });
  });

test("a waiting turn shows on the front page, in the navigation, the title and the icons", async ({
  page,
  context,
}) => {
  await noteBadges(context);
  await page.goto("/");
  await expect(page).toHaveTitle(/^Branchline/);
  await expect(byId(page, "continue")).toHaveCount(0);
  const icon = page.locator("link[rel=icon]");

  await sitAt(page, { map: "usa", seats: [ME, BOT] });
  await begun(page);
  await expect(page).toHaveTitle(/^● Your turn – United States/);
  await page.goto("/");
  const row = byId(page, "continue").locator("li");
  await expect(row).toHaveCount(1);
  await expect(row).toContainText("Your turn");
  await expect(page.getByRole("link", { name: "My games 1 game waits for your move" })).toBeVisible();
  await expect(page).toHaveTitle(/^\(1\) Branchline/);
  await expect.poll(() => page.evaluate(() => window.badges.at(-1))).toBe(1);
  await expect(icon).toHaveAttribute("href", /^data:image\/svg/);
  expect(
    await icon.evaluate(
      (link: HTMLLinkElement) =>
        new Promise((done) => {
          const drawn = new Image();
          drawn.onload = () => done(drawn.naturalWidth > 0);
          drawn.onerror = () => done(false);
          drawn.src = link.href;
        }),
    ),
  ).toBe(true);

  // Elsewhere, another game begins to wait: seen as soon as one comes back to the page.
  await ask<TableWire>(page, "/tables", { map: "europe", order: "fixed", seats: [ME, BOT], start: true });
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await expect(page).toHaveTitle(/^\(2\) /);
  await expect.poll(() => page.evaluate(() => window.badges.at(-1))).toBe(2);

  await row.filter({ hasText: "United States" }).getByRole("link").click();
  await begun(page);
  await expect(page).toHaveTitle(/^\(1\) ● Your turn/); // the other one
  await page.goto("/games");
  await expect(byId(page, "turns")).toHaveText("2");
});

async function device(browser: Browser, complaints: string[], url: string, locale: string): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    locale,
    viewport: { width: 390, height: 844 },
    reducedMotion: "reduce",
  });
  await prepare(context, complaints);
  return context.newPage();
}

test("a seat is carried to a telephone by words and to a third device by the link, with the plug pulled in between", async ({
  browser,
  complaints,
}) => {
  const service = await new Service().start();
  const shared = process.env.BRANCHLINE_URL;
  process.env.BRANCHLINE_URL = service.url;
  try {
    const desk = await device(browser, complaints, service.url, "ro-RO");
    const table = await sitAt(desk, { map: "usa", seats: [ME, BOT] });
    await begun(desk);
    const me = await ask<{ id: string; name: string }>(desk, "/me");
    await byId(desk, "menu").click();
    await desk.locator('a[href="/carry"]').click();
    await byId(desk, "carry-make").click();
    const words = (await byId(desk, "carry-words").innerText()).split(/\s+/);
    expect(words).toHaveLength(5);
    await expect(byId(desk, "this-machine")).toContainText("--host 0.0.0.0");
    const drawn = await byId(desk, "carry-qr").evaluate((code: HTMLImageElement) =>
      code.decode().then(() => code.naturalWidth),
    );
    expect(drawn).toBeGreaterThan(0);
    await service.kill();
    await service.start();

    const phone = await device(browser, complaints, service.url, "pt-BR");
    await sitAt(phone, { map: "iberia", seats: [ME, BOT] });
    await phone.goto("/carry");
    await byId(phone, "carry-typed").fill("abacate abelha abril anel");
    await byId(phone, "carry-look").click();
    await expect(byId(phone, "carry-trouble")).toContainText("uma frase tem 5 palavras");
    await byId(phone, "carry-typed").fill(
      words.map((word) => word.normalize("NFD").replace(/\p{M}/gu, "").toUpperCase()).join("  "),
    );
    await byId(phone, "carry-look").click();
    await expect(byId(phone, "carry-found")).toContainText(me.name);
    await expect(byId(phone, "carry-found").locator(".notice-bad")).toContainText("1 partida por terminar"); // of the guest it was
    await byId(phone, "carry-become").click();
    await phone.waitForURL("**/games");
    await expect(phone.locator(`a[href="/t/${table.id}"]`)).toBeVisible();
    expect((await ask<{ id: string }>(phone, "/me")).id).toBe(me.id);
    await service.kill();
    await service.start();
    await phone.goto(`/t/${table.id}`); // both sit on the one seat
    await begun(phone);
    await desk.goto(`/t/${table.id}`);
    await begun(desk);

    await desk.goto("/carry");
    await byId(desk, "carry-make").click();
    const link = (await byId(desk, "carry-qr").getAttribute("data-link"))!;
    const third = await device(browser, complaints, service.url, "en-GB");
    await third.goto(link);
    await expect(byId(third, "carry-found")).toContainText(`You become ${me.name} here.`);
    expect(third.url()).not.toContain("#"); // the secret does not stay in the address
    await byId(third, "carry-become").click();
    await third.waitForURL("**/games");
    expect((await ask<{ id: string }>(third, "/me")).id).toBe(me.id);
    await third.goto("/");
    await third.goto(link);
    await expect(byId(third, "carry-trouble")).toContainText("this is good no more");
    for (const one of [desk, phone, third]) await one.context().close();
  } finally {
    await service.stop();
    process.env.BRANCHLINE_URL = shared;
  }
  expect(complaints.filter((line) => !/WebSocket|ERR_CONNECTION|400|404/.test(line))).toEqual([]);
});

test("an invitation warns where only this machine can open it", async ({ page }) => {
  const table = await sitAt(page, { map: "usa", seats: [ME, OPEN] });
  await expect(byId(page, "this-machine")).toContainText("Only this machine can open this address.");
  await page.route("**/api/reach", (route) => route.fulfill({ json: { base: "http://192.168.1.7:8000" } }));
  await page.reload();
  await expect(byId(page, "link")).toHaveValue(`http://192.168.1.7:8000/t/${table.id}`);
  await expect(byId(page, "this-machine")).toHaveCount(0);
});

test("the page can be installed where the browser offers it, by an entry that is quiet", async ({ page }) => {
  await page.goto("/about");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(byId(page, "install")).toHaveCount(0);
  await page.evaluate(() =>
    dispatchEvent(
      Object.assign(new Event("beforeinstallprompt", { cancelable: true }), {
        prompt: async () => void (document.title = "asked"),
      }),
    ),
  );
  await byId(page, "install").click();
  await expect(page).toHaveTitle("asked");
  await expect(byId(page, "install")).toHaveCount(0);
  const manifest = (await (await page.request.get("/site.webmanifest")).json()) as {
    icons: { src: string; sizes: string; purpose: string }[];
    shortcuts: { url: string }[];
  };
  for (const icon of manifest.icons) expect((await page.request.get(icon.src)).ok(), icon.src).toBe(true);
  expect(manifest.icons.filter((icon) => icon.purpose === "maskable").map((icon) => icon.sizes)).toEqual([
    "any",
    "192x192",
    "512x512",
  ]);
  expect(manifest.shortcuts.map((one) => one.url)).toEqual(["/games", "/lobby", "/learn"]);
});

test("an empty lobby offers a game against bots and one to look on", async ({ page }) => {
  await page.route("**/api/tables", (route) =>
    route.request().method() === "GET" ? route.fulfill({ json: [] }) : route.continue(),
  );
  await page.goto("/lobby");
  await byId(page, "lobby-watch").click();
  await page.waitForURL("**/t/*");
  await expect(page.locator("[data-track]").first()).toBeAttached();
  await expect(page.locator('[data-tour="hand"]')).toHaveCount(0);
  await page.goto("/lobby");
  await byId(page, "lobby-play").click();
  await begun(page);
});
