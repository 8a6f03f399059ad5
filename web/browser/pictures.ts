/** Draws the pictures of the documents: real games on the real page. Run by `make pictures`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ask, BOT, expect, GOOD_BOT, ME, type Page, sitAt, test } from "./base.ts";
import { Clicks } from "./clicks.ts";
import { decide } from "./policy.ts";
import { answered, begun, byId, type Sight } from "./screen.ts";
import { finished, PAGES, TABLES, worldOf } from "./screens.ts";

const DOCS = fileURLToPath(new URL("../../docs/img/", import.meta.url));
const LARGEST = 250_000;

/** Takes the window as it is, in a small format. */
async function shoot(page: Page, name: string, folder = DOCS, quality = 82): Promise<void> {
  await page.mouse.move(2, 2);
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(400); // the last cards have been laid down
  const client = await page.context().newCDPSession(page);
  const { data } = await client.send("Page.captureScreenshot", { format: "webp", quality });
  const picture = Buffer.from(data, "base64");
  expect(picture.length, name).toBeLessThan(LARGEST);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.webp`), picture);
}

const dark = (page: Page) => page.addInitScript(() => localStorage.setItem("theme", '"dark"'));

/** Plays until it has gone on for so many moves and `enough` says that this is worth a picture. */
async function playTo(
  page: Page,
  moves: number,
  wanted: string[],
  enough: (sight: Sight) => boolean | Promise<boolean>,
  touch = false,
): Promise<void> {
  const clicks = new Clicks(page, new Set(), touch);
  let sight = await begun(page);
  for (let deeds = 0; deeds < moves || !(await enough(sight)); deeds++) {
    if (sight.over) throw new Error("the game was over before the picture");
    if (sight.scene === "take-bags") await takeMail(page);
    else await clicks.do(decide(sight, new Set(wanted)), sight);
    sight = await answered(page, sight.asked);
  }
}

/** One mail bag comes along; for a fourth the first of the three is laid down. */
async function takeMail(page: Page): Promise<void> {
  await page.locator('button[data-testid^="bag-"]').first().click();
  const laid = byId(page, "lay-down").getByRole("radio").first();
  if (await laid.isVisible()) await laid.check();
  await byId(page, "take-bag").click();
}

const atTurn = (sight: Sight) => sight.scene === null && sight.buttons.includes("claims");
const SEATS = [ME, GOOD_BOT, GOOD_BOT];
const named = async (page: Page, name: string) => {
  await ask(page, "/me");
  await ask(page, "/me", { name });
};

test("usa: a turn", async ({ page }) => {
  await named(page, "Ioana");
  await sitAt(page, { map: "usa", seed: 21, seats: SEATS });
  await playTo(page, 34, [], atTurn);
  await page.locator('[data-tour="tickets"] li button').first().click();
  await shoot(page, "page-usa");
});

test("europe, by night: a tunnel", async ({ page }) => {
  await dark(page);
  await named(page, "Ioana");
  await sitAt(page, { map: "europe", seed: 12, seats: [ME, BOT, BOT] });
  await playTo(
    page,
    30,
    ["tunnel paid"],
    async (sight) => sight.scene === "tunnel" && (await page.locator('[data-testid^="tunnel-"]').count()) > 0,
  );
  await shoot(page, "page-europe-dark");
});

test("iberia: a claim", async ({ page }) => {
  await named(page, "Duarte");
  await sitAt(page, { map: "iberia", seed: 5, seats: SEATS });
  await playTo(
    page,
    36,
    [],
    (sight) => atTurn(sight) && sight.tracks.some((track) => track.legal && track.length >= 3),
  );
  const track = (await begun(page)).tracks
    .filter((one) => one.legal)
    .sort((one, other) => other.length - one.length)[0]!;
  await byId(page, "claims").click();
  await byId(page, "claim-list").locator(`button[aria-label^="${track.ends},"]`).click();
  await expect(byId(page, "confirm-claim")).toBeVisible();
  await shoot(page, "page-iberia");
});

test("africa: terrain", async ({ page }) => {
  await named(page, "Duarte");
  await sitAt(page, { map: "africa", seed: 9, seats: SEATS });
  await playTo(
    page,
    34,
    ["terrain display", "doubling taken"],
    (sight) => sight.scene === "double-choice" || sight.asked > 120,
  );
  await shoot(page, "page-africa");
});

test("carpathians: mail", async ({ page }) => {
  await named(page, "Ioana");
  await sitAt(page, { map: "carpathians", seed: 8, seats: SEATS });
  await playTo(page, 24, [], (sight) => sight.scene === "take-bags");
  await shoot(page, "page-carpathians");
});

test("the front page, the end, the replay", async ({ page }) => {
  await named(page, "Ioana");
  await page.goto("/");
  await expect(page.locator("svg.mini .places").first()).toBeAttached();
  await shoot(page, "page-front");
  const over = await finished(page, "europe");
  await page.goto(`/t/${over}`);
  await expect(byId(page, "record")).toBeVisible();
  await shoot(page, "page-end");
  await page.goto(`/replay/${over}#move=60`);
  await expect(byId(page, "replay-words")).toBeVisible();
  await shoot(page, "page-replay");
});

test.describe("on a telephone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
  test("a turn, by night", async ({ page }) => {
    await dark(page);
    await named(page, "Ioana");
    await sitAt(page, { map: "usa", seed: 21, seats: SEATS });
    await playTo(page, 24, [], atTurn, true);
    await shoot(page, "page-phone");
  });
});

/** Games of five in their middle: by day, by night, as others see them, on a desk and in the hand. The best go to the documents. */
const GLANCE = fileURLToPath(new URL("../../build/pictures/", import.meta.url));
const KEPT = new Set([
  "glance-europe",
  "glance-usa-dark",
  "glance-africa-deuteranopia",
  "glance-iberia-phone",
  "glance-carpathians",
  "glance-carpathians-dark",
]);
const DEFICIENCIES = ["protanopia", "deuteranopia", "tritanopia", "achromatopsia"] as const;
for (const map of ["usa", "europe", "iberia", "africa", "carpathians"]) {
  test(`five at ${map}`, async ({ page }) => {
    const keep = (name: string) => shoot(page, name, KEPT.has(name) ? DOCS : GLANCE, 66);
    await named(page, "Ioana");
    await sitAt(page, { map, seed: 21, seats: [ME, GOOD_BOT, GOOD_BOT, GOOD_BOT, GOOD_BOT] });
    await playTo(page, 38, [], atTurn);
    await page.keyboard.press("p");
    await expect(page.getByText("Turned up:")).toBeHidden(); // what lasts for a moment has passed
    await keep(`glance-${map}`);
    await page.emulateMedia({ colorScheme: "dark" });
    await keep(`glance-${map}-dark`);
    await page.emulateMedia({ colorScheme: "light" });
    const devtools = await page.context().newCDPSession(page);
    for (const type of DEFICIENCIES) {
      await devtools.send("Emulation.setEmulatedVisionDeficiency", { type });
      await keep(`glance-${map}-${type}`);
    }
    await devtools.send("Emulation.setEmulatedVisionDeficiency", { type: "none" });
    await page.setViewportSize({ width: 390, height: 844 });
    await keep(`glance-${map}-phone`);
    await page.emulateMedia({ colorScheme: "dark" });
    await keep(`glance-${map}-phone-dark`);
  });
}

const folder = process.env.ALL;
for (const width of folder ? [1280, 390] : []) {
  for (const theme of ["light", "dark"] as const) {
    test(`every screen: ${width} ${theme}`, async ({ page }) => {
      await page.setViewportSize({ width, height: width === 1280 ? 800 : 844 });
      if (theme === "dark") await dark(page);
      const world = await worldOf(page);
      for (const [name, open] of Object.entries({ ...PAGES, ...TABLES })) {
        await open(page, world);
        await shoot(page, `${name}-${width}-${theme}`, folder);
      }
    });
  }
}
