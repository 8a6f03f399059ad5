/** The page with no network, and the page while a newer one arrives: the real service worker, let in here alone. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { faults } from "./axe.ts";
import { ask, BOT, expect, ME, type Page, prepare, sitAt, test } from "./base.ts";
import { begun, byId } from "./screen.ts";
import { Service } from "./service.ts";

const BUILT = process.env.BRANCHLINE_PAGE ?? fileURLToPath(new URL("../../branchline/server/page/", import.meta.url));
test.use({ serviceWorkers: "allow" });

/** The worker has kept the page and looks after this one. */
const kept = (page: Page) =>
  page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated", undefined, { timeout: 30_000 });

/** No fault that axe finds, wide and narrow. */
async function sound(page: Page): Promise<void> {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await faults(page, "all", false), String(width)).toEqual([]);
  }
}

test.describe("with no network", () => {
  test.use({ forgiven: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch|WebSocket/] });

  test("the shell opens and says so, the rules can be read, and it comes back by itself", async ({ page, context }) => {
    await page.goto("/");
    await kept(page);
    const table = await sitAt(page, { map: "usa", seats: [ME, BOT] });
    await begun(page);

    await context.setOffline(true);
    await page.goto("/"); // a new load, not the page that runs
    await expect(byId(page, "offline")).toContainText("This device is offline.");
    await expect(byId(page, "play-now")).toBeVisible();
    await sound(page);
    await byId(page, "offline").getByRole("link", { name: "Rules" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText(/\S/);
    await page.goto("/learn"); // a page that was never opened before
    await expect(page.locator(".lesson button").first()).toBeVisible();
    await page.goto(`/t/${table.id}`);
    await expect(byId(page, "offline")).toBeVisible();

    // Nothing of the service, nothing of this guest was kept.
    const stored = await page.evaluate(async () => {
      const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
      return all.flat().map((request) => new URL(request.url).pathname);
    });
    expect(stored.length).toBeGreaterThan(50);
    expect(
      stored.filter(
        (path) => !/^\/(assets|boards|icons)\/|^\/(index\.html|favicon\.svg|site\.webmanifest)$/.test(path),
      ),
    ).toEqual([]);

    await context.setOffline(false);
    await begun(page); // the game, by itself
    await page.goto("/games");
    await expect(byId(page, "offline")).toBeHidden();
  });
});

test("nothing keeps a browser from installing the page", async ({ playwright }, { project }) => {
  const folder = mkdtempSync(join(tmpdir(), "branchline-profile-")); // in private windows nothing can be installed
  const context = await playwright.chromium.launchPersistentContext(folder, project.use.launchOptions);
  try {
    const page = context.pages()[0]!;
    await page.goto(process.env.BRANCHLINE_URL!);
    await kept(page);
    const devtools = await context.newCDPSession(page);
    const errors = async () => (await devtools.send("Page.getInstallabilityErrors")).installabilityErrors;
    expect(await errors()).toEqual([]);
    await page.goto(`${process.env.BRANCHLINE_URL}/api/docs`); // no page of the app
    expect((await errors()).map(({ errorId }) => errorId)).toContain("no-manifest");
  } finally {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** What a build of another day looks like: the entry and a lazy page have other names, and the worker knows them. */
function rebuild(folder: string): void {
  const assets = readdirSync(join(folder, "assets")).filter((name) => name.endsWith(".js"));
  const renamed = assets.filter((name) => /^(index|About|Settings)-/.test(name));
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((name) => statSync(name).isFile());
  for (const file of files.filter((name) => /\.(br|gz)$/.test(name))) rmSync(file);
  for (const file of files.filter((name) => /\.(js|html)$/.test(name))) {
    let text = readFileSync(file, "utf8");
    for (const name of renamed) text = text.replaceAll(name, name.replace(".js", "2.js"));
    writeFileSync(file, file.endsWith("sw.js") ? text.replace(/(version:.)\w{4}/, "$1beef") : text);
  }
  for (const name of renamed)
    renameSync(join(folder, "assets", name), join(folder, "assets", name.replace(".js", "2.js")));
}

const entry = (page: Page) => page.locator("script[type=module][src]").getAttribute("src");

test("a newer version is told, and takes nothing from a page that is open", async ({ browser, complaints }) => {
  const folder = mkdtempSync(join(tmpdir(), "branchline-page-"));
  cpSync(BUILT, folder, { recursive: true });
  const service = await new Service({ BRANCHLINE_PAGE: folder }).start();
  const shared = process.env.BRANCHLINE_URL;
  process.env.BRANCHLINE_URL = service.url;
  const context = await browser.newContext({ baseURL: service.url, serviceWorkers: "allow" });
  try {
    await prepare(context, complaints);
    const [page, game] = [await context.newPage(), await context.newPage()];
    await page.goto("/");
    await kept(page);
    await sitAt(game, { map: "usa", seats: [ME, BOT] });
    await begun(game);
    const old = await entry(page);

    await service.kill();
    rebuild(folder);
    await service.start();
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())!.update());
    await expect(byId(page, "newer")).toContainText("A new version of Branchline is there.", { timeout: 30_000 });

    await sound(page);

    // The page that runs goes on with its own files, also with those it asks for only now.
    expect(await page.evaluate((path) => fetch(path!, { cache: "no-store" }).then((reply) => reply.status), old)).toBe(
      200,
    );
    expect((await page.request.get(old!)).status()).toBe(404); // the service has them no more
    await page.getByRole("link", { name: "About Branchline" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("About");
    expect(await entry(page)).toBe(old);

    await byId(page, "newer").getByRole("button").click();
    await expect.poll(() => entry(page)).not.toBe(old);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("About");
    await expect(byId(page, "newer")).toBeHidden();
    await game.close();
    await page.goto("/settings"); // whoever is alone with the new page is served by the new worker in the end
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Settings");
    expect(await ask(page, "/me")).toBeTruthy();
  } finally {
    await context.close();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
    process.env.BRANCHLINE_URL = shared;
  }
  expect(complaints.filter((line) => !/WebSocket|ERR_CONNECTION|502|404/.test(line))).toEqual([]);
});
