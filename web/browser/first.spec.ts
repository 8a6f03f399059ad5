/** A newcomer's first minute: few clicks, few seconds, few bytes, and the first decision explained. */
import { BOT, expect, ME, type Page, prepare, sitAt, test } from "./base.ts";
import { answered, begun, byId, depth, look } from "./screen.ts";

const SCRIPT_KB = 130;
const BOARD_KB = 60;
const SECONDS = 3;
const TRIES = 3; // a machine that does other things now is not the page's fault

const kilobytes = (sent: ReadonlyMap<string, number>, pattern: RegExp) =>
  [...sent].filter(([path]) => pattern.test(path)).reduce((sum, [, bytes]) => sum + bytes, 0) / 1000;

test.use({ newcomer: true });

/** One click from the front page to the first decision, in a browser with an empty cache. */
async function firstDecision(page: Page): Promise<{ seconds: number; sent: Map<string, number> }> {
  const sent = new Map<string, number>();
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  const heads = new Map<string, { path: string; bytes: number }>();
  client.on("Network.responseReceived", ({ requestId, response }) =>
    heads.set(requestId, { path: new URL(response.url).pathname, bytes: response.encodedDataLength }),
  );
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const head = heads.get(requestId);
    if (head) sent.set(head.path, encodedDataLength - head.bytes); // what was sent, compressed, without the headers
  });
  const began = performance.now();
  await page.goto("/");
  await byId(page, "play-now").click();
  await expect(byId(page, "ticket-choice")).toBeVisible();
  await expect(page.locator("[data-track]").first()).toBeVisible();
  return { seconds: (performance.now() - began) / 1000, sent };
}

test("one click from the front page to the first decision, which is explained", async ({
  page,
  browser,
  complaints,
  baseURL,
}) => {
  let { seconds, sent } = await firstDecision(page);
  await expect(byId(page, "first-time")).toContainText("Each ticket names two places");
  await expect(page.locator("[data-place].lit").first()).toBeVisible(); // the board shows what is meant
  await page.waitForLoadState("networkidle"); // all that the decision needs has come; the scenes of later turns come after it
  const [script, board] = [kilobytes(sent, /\.js$/), kilobytes(sent, /^\/boards\//)];
  console.log(
    `first decision after ${seconds.toFixed(2)} s; script ${script.toFixed(1)} kB, board ${board.toFixed(1)} kB, all ${kilobytes(sent, /./).toFixed(1)} kB`,
  );
  await byId(page, "suggest").click();
  await expect(byId(page, "keep")).toBeEnabled();
  await byId(page, "keep").click();
  await expect(byId(page, "first-time")).toBeHidden();
  await expect(byId(page, "status")).toBeVisible();
  expect(script).toBeGreaterThan(0);
  expect(script).toBeLessThan(SCRIPT_KB);
  expect(board).toBeGreaterThan(0);
  expect(board).toBeLessThan(BOARD_KB);

  for (let tried = 1; seconds > SECONDS && tried < TRIES; tried++) {
    const context = await browser.newContext({ baseURL: baseURL!, serviceWorkers: "block", reducedMotion: "reduce" });
    await prepare(context, complaints, true);
    seconds = Math.min(seconds, (await firstDecision(await context.newPage())).seconds);
    await context.close();
  }
  expect(seconds).toBeLessThan(SECONDS);
});

for (const [lang, locale] of Object.entries({ en: "en-GB", ro: "ro-RO", "pt-PT": "pt-PT", "pt-BR": "pt-BR" })) {
  test.describe(lang, () => {
    test.use({ locale });
    /** What is asked for is known from the page, also what its cache answers; how much each file is, compressed, from the service. */
    test(`few bytes to the first decision on every map in ${lang}`, async ({ page }) => {
      const asked = new Set<string>();
      page.on("request", (request) => asked.add(new URL(request.url()).pathname));
      const sizes = new Map<string, number>();
      const sizeOf = async (path: string) => {
        const reply = await page.request.get(path, { headers: { "accept-encoding": "gzip, deflate, br, zstd" } });
        if (!reply.ok()) throw new Error(`${path}: ${reply.status()}`);
        return Number(reply.headers()["content-length"]);
      };
      await page.goto("/");
      await expect(byId(page, "play-now")).toBeEnabled();
      await page.waitForLoadState("networkidle");
      const front = [...asked];
      const [most, drawn]: Record<string, number>[] = [{}, {}];
      for (const map of ["usa", "europe", "iberia", "africa", "carpathians"]) {
        asked.clear();
        await sitAt(page, { map, seats: [ME, BOT] });
        await begun(page);
        await page.waitForLoadState("networkidle");
        const files = [...new Set([...front, ...asked])].filter((path) => /\.js$|^\/boards\//.test(path));
        for (const path of files) if (!sizes.has(path)) sizes.set(path, await sizeOf(path));
        const sent = new Map(files.map((path) => [path, sizes.get(path)!]));
        most[map] = kilobytes(sent, /\.js$/);
        drawn[map] = kilobytes(sent, /^\/boards\//);
      }
      console.log(lang, most, drawn);
      for (const kb of Object.values(most)) expect(kb).toBeGreaterThan(50);
      for (const kb of Object.values(drawn)) expect(kb).toBeGreaterThan(5);
      expect(Object.entries(most).filter(([, kb]) => kb > SCRIPT_KB)).toEqual([]);
      expect(Object.entries(drawn).filter(([, kb]) => kb > BOARD_KB)).toEqual([]);
    });
  });
}

test("the tutorial leads from hint to hint beside a real game", async ({ page }) => {
  await page.goto("/learn");
  await page.getByRole("button", { name: "Start the tutorial" }).click();
  const hint = byId(page, "tutorial-hint");
  await expect(hint).toContainText("1 of");
  const bottom = (id: string) => byId(page, id).evaluate((one) => one.getBoundingClientRect().bottom);
  expect(await bottom("tutorial-light"), "the light ends where the scene does").toBeLessThanOrEqual(
    await bottom("ticket-choice"),
  );
  for (let step = 2; (await byId(page, "tutorial-next").isVisible()) && step < 30; step++) {
    const title = await hint.getByRole("heading").textContent();
    await byId(page, "tutorial-next").click();
    await expect(hint.getByRole("heading", { name: title!, exact: true })).toBeHidden();
    if ((await byId(page, "ticket-choice").isVisible()) && !(await hint.isVisible())) break;
  }
  // Played by what helps, the lessons come in their order, never over what they speak of, and end with a completed ticket.
  for (const ticket of ["New York", "Montréal"])
    await byId(page, "ticket-choice")
      .getByRole("button", { name: new RegExp(`${ticket}.*Atlanta`) })
      .click();
  await byId(page, "keep").click();
  const numbers: number[] = [];
  let sight = await answered(page, -1);
  for (let deeds = 0; !(await byId(page, "tutorial-finish").isVisible()); deeds++) {
    expect(deeds, "no ticket is completed").toBeLessThan(60);
    while (await hint.isVisible()) {
      numbers.push(Number(/Lesson (\d)/.exec((await hint.textContent())!)![1]));
      await byId(page, "tutorial-next").click();
    }
    if (sight.over || (await byId(page, "tutorial-finish").isVisible())) break;
    const claims = byId(page, "claims");
    await claims.click();
    const helping = byId(page, "claim-list")
      .locator("li button", { has: page.locator(".star") })
      .first();
    if (await helping.isVisible()) {
      await helping.click();
      await byId(page, "confirm-claim").click();
    } else {
      await page.keyboard.press("Escape");
      await byId(page, "draw-deck").click();
      sight = await answered(page, sight.asked);
      while (await hint.isVisible()) {
        numbers.push(Number(/Lesson (\d)/.exec((await hint.textContent())!)![1]));
        await byId(page, "tutorial-next").click();
      }
      await byId(page, "draw-deck").click();
    }
    sight = await answered(page, sight.asked).catch(() => look(page));
  }
  expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
  await expect(byId(page, "tutorial-finish")).toContainText("Your first ticket is completed");
  await byId(page, "tutorial-next").click();
  await expect(byId(page, "tutorial-finish")).toBeHidden();
});

test.describe("a first game on another map", () => {
  test("offers its lesson, once", async ({ page }) => {
    await page.addInitScript(() => location.protocol === "http:" && localStorage.setItem("seenFirst", "true"));
    for (const map of ["europe", "iberia", "africa", "carpathians"]) {
      await sitAt(page, { map });
      await byId(page, "lesson-open").click();
      await expect(page.getByRole("dialog").getByRole("button", { name: "Next" })).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(byId(page, "lesson-offer")).toHaveCount(0);
      await expect.poll(() => depth(page)).toBe(0);
      await page.reload();
      await begun(page);
      await expect(byId(page, "lesson-offer")).toHaveCount(0);
    }
    await sitAt(page, { map: "usa" }); // the tutorial has taught it all
    await begun(page);
    await page.waitForLoadState("networkidle");
    await expect(byId(page, "lesson-offer")).toHaveCount(0);
  });
});
