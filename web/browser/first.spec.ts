/** A newcomer's first minute: few clicks, few seconds, few bytes, and the first decision explained. */
import { expect, sitAt, test } from "./base.ts";
import { answered, begun, byId, depth, look } from "./screen.ts";

const SCRIPT_KB = 130;
const BOARD_KB = 60;
const LOOSE_SECONDS = 10; // a bound for a busy machine; the figure itself is printed

test.use({ newcomer: true });

test("one click from the front page to the first decision, which is explained", async ({ page }) => {
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
  const seconds = (performance.now() - began) / 1000;

  await expect(byId(page, "first-time")).toContainText("Each ticket names two places");
  await expect(page.locator("[data-place].lit").first()).toBeVisible(); // the board shows what is meant
  await page.waitForLoadState("networkidle"); // all that the decision needs has come; the scenes of later turns come after it
  const kilobytes = (pattern: RegExp) =>
    [...sent].filter(([path]) => pattern.test(path)).reduce((sum, [, bytes]) => sum + bytes, 0) / 1000;
  const [script, board] = [kilobytes(/\.js$/), kilobytes(/^\/boards\//)];
  console.log(
    `first decision after ${seconds.toFixed(2)} s; script ${script.toFixed(1)} kB, board ${board.toFixed(1)} kB, all ${kilobytes(/./).toFixed(1)} kB`,
  );
  await byId(page, "suggest").click();
  await expect(byId(page, "keep")).toBeEnabled();
  await byId(page, "keep").click();
  await expect(byId(page, "first-time")).toBeHidden();
  await expect(byId(page, "status")).toBeVisible();

  expect(seconds).toBeLessThan(LOOSE_SECONDS);
  expect(script).toBeGreaterThan(0);
  expect(script).toBeLessThan(SCRIPT_KB);
  expect(board).toBeGreaterThan(0);
  expect(board).toBeLessThan(BOARD_KB);
});

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
    await sitAt(page, { map: "africa" });
    await byId(page, "lesson-open").click();
    await expect(page.getByRole("dialog").getByRole("button", { name: "Next" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(byId(page, "lesson-offer")).toHaveCount(0);
    await expect.poll(() => depth(page)).toBe(0);
    await page.reload();
    await begun(page);
    await expect(byId(page, "lesson-offer")).toHaveCount(0);
  });
});
