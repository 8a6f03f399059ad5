/**
 * What drawing costs: pans the board and lays trains in a replay of five, the processor slowed down four times through DevTools,
 * with this page and with the page before it (PAGE_BEFORE, the folder of another build, and COMMIT_BEFORE, its commit), by turns
 * in one run. A task is one of the renderer's main thread, script, layout and paint together, and may take 50 ms; what its script,
 * style and layout take is told beside that. Writes FRAMES, a JSON file.
 * SLOW=40 says what tasks over 40 ms are made of.
 */
import { execSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { TableWire } from "../src/wire.ts";
import { ask, BOT, type BrowserContext, expect, ME, type Page, test } from "./base.ts";
import { tasksOf, type Traced } from "./tasks.ts";

const ROUNDS = 3;
const CLAIMS = 12;
const SLOW = Number(process.env.SLOW) || null;
const TRACED = ["disabled-by-default-devtools.timeline", "devtools.timeline", "__metadata"];
const TYPES: Record<string, string> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".html": "text/html",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
interface Measured {
  /** The most that one task spent on script, style and layout, in milliseconds. */
  work: number;
  /** Milliseconds of the longest task, painting and all, and how many are longer than 50. */
  longest: number;
  long: number;
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

/** Tasks and frames while something is done; what is asked of the page by script, before and after it, is not traced. */
async function measured(page: Page, what: Doing): Promise<Measured> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  const events: Traced[] = [];
  devtools.on("Tracing.dataCollected", ({ value }) => void events.push(...(value as unknown as typeof events)));
  await page.evaluate(() => {
    const times: number[] = ((window as unknown as { times: number[] }).times = []);
    const tick = (now: number) => (times.push(now), requestAnimationFrame(tick));
    requestAnimationFrame(tick);
  });
  await devtools.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: TRACED },
  });
  await what();
  const ended = new Promise((resolve) => devtools.once("Tracing.tracingComplete", resolve));
  await devtools.send("Tracing.end");
  await ended;
  const times = await page.evaluate(() => (window as unknown as { times: number[] }).times);
  await devtools.detach();
  const tasks = tasksOf(events);
  expect(tasks.length, "tasks of the main thread were traced").toBeGreaterThan(10);
  const gaps = times.slice(1).map((time, i) => time - times[i]!);
  const seconds = gaps.reduce((sum, gap) => sum + gap, 0) / 1000;
  const most = (of: number[]) => Math.round(Math.max(...of) * 10) / 10;
  const [work, longest] = [most(tasks.map((task) => task.work)), most(tasks.map(({ ms }) => ms))];
  const long = tasks.filter(({ ms }) => ms > 50).length;
  for (const { ms, parts } of tasks.filter(({ ms }) => SLOW && ms > SLOW))
    console.log(`${page.url()} ${ms.toFixed(1)} ms:`, parts.map(([name, of]) => `${name} ${of.toFixed(1)}`).join(", "));
  return {
    work,
    longest,
    long,
    frames: Math.round(gaps.length / seconds),
    late: gaps.filter((gap) => gap > 50).length,
  };
}

type Doing = () => Promise<void>;

/** Ready to pan: what is pointed at is looked for beforehand, by script in the page, which is no work of the page itself. */
async function pan(page: Page): Promise<Doing> {
  const box = (await page.locator(".board .board, .board").first().boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return async () => {
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, -400);
    await page.waitForTimeout(400);
    await page.mouse.down();
    for (let i = 1; i <= 60; i++) await page.mouse.move(x + 120 * Math.sin(i / 6), y + 60 * Math.sin(i / 4));
    await page.mouse.up();
  };
}

/** Ready to lay trains, the board in sight. */
async function lay(page: Page): Promise<Doing> {
  const next = (await page
    .getByRole("button", { name: /next (claim|track)/i })
    .first()
    .elementHandle())!;
  await next.scrollIntoViewIfNeeded();
  return async () => {
    for (let i = 0; i < CLAIMS; i++) {
      const box = (await next.boundingBox())!;
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      await page.waitForTimeout(250);
    }
  };
}

/** The move at which the replay stands. */
const moveOf = async (page: Page) => parseInt((await page.getByTestId("replay-place").textContent())!);

/** What is measured: the page as it is, and where there is something to compare with, the page before. */
const SIGHTS = [
  { map: "europe", width: 1280, height: 800, before: true },
  { map: "carpathians", width: 1280, height: 800, before: false }, // the version before does not know it
  { map: "europe", width: 390, height: 844, before: true },
];
const NOW = execSync("git rev-parse --short HEAD", { encoding: "utf8" }).trim();

test.use({ reducedMotion: "no-preference", serviceWorkers: "block", forgiven: [/./] });
test("frames", async ({ page, browser }) => {
  test.setTimeout(900_000);
  await ask(page, "/me");
  const runs: { page: string; commit: string; map: string; size: string; pan: Measured; lay: Measured }[] = [];
  for (const { map, width, height, before } of SIGHTS) {
    const { id } = await ask<TableWire>(page, "/tables", {
      map,
      seats: [ME, BOT, BOT, BOT, BOT],
      order: "fixed",
      start: true,
      seed: 5,
    });
    await ask(page, `/tables/${id}/leave`, {});
    await expect
      .poll(async () => (await ask<TableWire>(page, `/tables/${id}`)).state, { timeout: 120_000 })
      .toBe("over");
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of before && process.env.PAGE_BEFORE ? ["before", "now"] : ["now"]) {
        const context = await browser.newContext({
          baseURL: process.env.BRANCHLINE_URL!,
          viewport: { width, height },
          serviceWorkers: "block",
        });
        if (name === "before") await fromFolder(context, process.env.PAGE_BEFORE!);
        const other = await context.newPage();
        await other.goto(`/replay/${id}#move=120`);
        await expect(other.getByTestId("replay-words")).toBeVisible();
        runs.push({
          page: name,
          commit: name === "now" ? NOW : (process.env.COMMIT_BEFORE ?? ""),
          map,
          size: `${width} × ${height}`,
          pan: await measured(other, await pan(other)),
          lay: await measured(other, await lay(other)),
        });
        expect(await moveOf(other), "trains were laid").toBeGreaterThanOrEqual(120 + CLAIMS);
        await context.close();
      }
    }
  }
  writeFileSync(process.env.FRAMES ?? "../results/service/frames.json", `${JSON.stringify(runs, null, 1)}\n`);
  const slow = runs.filter(({ page, pan, lay }) => page === "now" && Math.max(pan.longest, lay.longest) >= 50);
  expect(slow).toEqual([]);
});
