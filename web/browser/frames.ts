/**
 * What drawing costs: pans the board and lays trains in a replay of five, the processor slowed down four times through DevTools,
 * with this page and with the page before it (PAGE_BEFORE, the folder of another build), by turns in one run. Writes FRAMES, a JSON file.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { TableWire } from "../src/wire.ts";
import { ask, BOT, type BrowserContext, expect, ME, type Page, test } from "./base.ts";

const ROUNDS = 3;
const TYPES: Record<string, string> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".html": "text/html",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
const WORK = new Set([
  "FunctionCall",
  "EvaluateScript",
  "FireAnimationFrame",
  "TimerFire",
  "EventDispatch",
  "RunMicrotasks",
  "UpdateLayoutTree",
  "Layout",
  "Commit",
  "PrePaint",
  "Paint",
]);
interface Measured {
  longest: Record<string, number>;
  frames: number;
  late: number;
}

/** The files of another build, over the same service. */
async function fromFolder(context: BrowserContext, folder: string): Promise<void> {
  await context.route(
    (url) => !url.pathname.startsWith("/api"),
    (route) => {
      const path = join(folder, new URL(route.request().url()).pathname);
      const file = existsSync(path) && extname(path) ? path : join(folder, "index.html");
      return route.fulfill({
        body: readFileSync(file),
        contentType: TYPES[extname(file)] ?? "application/octet-stream",
      });
    },
  );
}

/** Tasks by kind and frames while something is done. */
async function measured(page: Page, what: () => Promise<void>): Promise<Measured> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  const events: { name: string; dur?: number }[] = [];
  devtools.on("Tracing.dataCollected", ({ value }) => void events.push(...(value as unknown as typeof events)));
  await devtools.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["devtools.timeline"] },
  });
  await page.evaluate(() => {
    const times: number[] = ((window as unknown as { times: number[] }).times = []);
    const tick = (now: number) => (times.push(now), requestAnimationFrame(tick));
    requestAnimationFrame(tick);
  });
  await what();
  const times = await page.evaluate(() => (window as unknown as { times: number[] }).times);
  const ended = new Promise((resolve) => devtools.once("Tracing.tracingComplete", resolve));
  await devtools.send("Tracing.end");
  await ended;
  await devtools.detach();
  const longest: Record<string, number> = {};
  for (const { name, dur } of events)
    if (WORK.has(name)) longest[name] = Math.max(longest[name] ?? 0, Math.round((dur ?? 0) / 100) / 10);
  const gaps = times.slice(1).map((time, i) => time - times[i]!);
  const seconds = gaps.reduce((sum, gap) => sum + gap, 0) / 1000;
  return { longest, frames: Math.round(gaps.length / seconds), late: gaps.filter((gap) => gap > 50).length };
}

async function pan(page: Page): Promise<void> {
  const box = (await page.locator(".board .board, .board").first().boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -400);
  await page.waitForTimeout(400);
  await page.mouse.down();
  for (let i = 1; i <= 60; i++) await page.mouse.move(x + 120 * Math.sin(i / 6), y + 60 * Math.sin(i / 4));
  await page.mouse.up();
}

async function lay(page: Page): Promise<void> {
  const next = page.getByRole("button", { name: /next (claim|track)/i }).first();
  for (let i = 0; i < 12; i++) {
    await next.click();
    await page.waitForTimeout(250);
  }
}

test.use({ reducedMotion: "no-preference", serviceWorkers: "block", forgiven: [/./] });
test("frames", async ({ page, browser }) => {
  test.setTimeout(400_000);
  await ask(page, "/me");
  const { id } = await ask<TableWire>(page, "/tables", {
    map: "europe",
    seats: [ME, BOT, BOT, BOT, BOT],
    order: "fixed",
    start: true,
    seed: 5,
  });
  await ask(page, `/tables/${id}/leave`, {});
  await expect.poll(async () => (await ask<TableWire>(page, `/tables/${id}`)).state, { timeout: 120_000 }).toBe("over");
  const runs: { page: string; pan: Measured; lay: Measured }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of ["before", "now"]) {
      const context = await browser.newContext({
        baseURL: process.env.BRANCHLINE_URL!,
        viewport: { width: 1280, height: 800 },
        serviceWorkers: "block",
      });
      if (name === "before") await fromFolder(context, process.env.PAGE_BEFORE!);
      const other = await context.newPage();
      await other.goto(`/replay/${id}#move=120`);
      await expect(other.getByTestId("replay-words")).toBeVisible();
      runs.push({
        page: name,
        pan: await measured(other, () => pan(other)),
        lay: await measured(other, () => lay(other)),
      });
      await context.close();
    }
  }
  writeFileSync(process.env.FRAMES ?? "../results/service/frames.json", `${JSON.stringify(runs, null, 1)}\n`);
  for (const run of runs.filter(({ page }) => page === "now")) {
    for (const [name, ms] of Object.entries({ ...run.pan.longest, ...run.lay.longest }))
      expect(ms, name).toBeLessThan(50);
  }
});
