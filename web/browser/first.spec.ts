/** A newcomer's first minute: few clicks, few seconds, few bytes, and the first decision explained. */
import { expect, test } from "./base.ts";
import { byId } from "./screen.ts";

const SCRIPT_KB = 120;
const BOARD_KB = 60;
const LOOSE_SECONDS = 10; // a bound for a busy machine; the figure itself is printed

test.use({ newcomer: true });

test("one click from the front page to the first decision, which is explained", async ({ page }) => {
  const sent = new Map<string, number>();
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  const heads = new Map<string, { path: string; bytes: number }>();
  client.on("Network.responseReceived", ({ requestId, response }) => heads.set(requestId, { path: new URL(response.url).pathname, bytes: response.encodedDataLength }));
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
  await byId(page, "suggest").click();
  await expect(byId(page, "keep")).toBeEnabled();
  await byId(page, "keep").click();
  await expect(byId(page, "first-time")).toBeHidden();
  await expect(byId(page, "status")).toBeVisible();

  const kilobytes = (pattern: RegExp) => [...sent].filter(([path]) => pattern.test(path)).reduce((sum, [, bytes]) => sum + bytes, 0) / 1000;
  const [script, board] = [kilobytes(/\.js$/), kilobytes(/^\/boards\//)];
  console.log(`first decision after ${seconds.toFixed(2)} s; script ${script.toFixed(1)} kB, board ${board.toFixed(1)} kB, all ${kilobytes(/./).toFixed(1)} kB`);
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
  for (let step = 2; await byId(page, "tutorial-next").isVisible() && step < 30; step++) {
    const title = await hint.getByRole("heading").textContent();
    await byId(page, "tutorial-next").click();
    await expect(hint.getByRole("heading", { name: title!, exact: true })).toBeHidden();
    if (await byId(page, "ticket-choice").isVisible() && !(await hint.isVisible())) break;
  }
  await byId(page, "suggest").click();
  await byId(page, "keep").click();
  await expect(hint).toBeVisible();
});
