import { chromium } from "@playwright/test";
const base = "http://127.0.0.1:8731";
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
async function shots(tag, size, scheme, lang) {
  const ctx = await browser.newContext({ viewport: size, colorScheme: scheme, locale: lang ?? "en-GB", reducedMotion: "reduce" });
  const page = await ctx.newPage();
  page.on("pageerror", (e) => console.log(tag, "ERR", e.message));
  await page.goto(base + "/"); await page.waitForSelector("[data-testid=level-conductor]", { state: "attached" }); await page.waitForTimeout(500);
  await page.screenshot({ path: `/tmp/h/F.shot-${tag}-front.png` });
  if (tag === "ro") { await ctx.close(); return; }
  await page.locator("label:has([data-testid=level-driver])").click();
  await page.goto(base + "/new"); await page.waitForSelector("[data-testid=chair-2]"); await page.waitForTimeout(400);
  await page.selectOption("[data-testid=chair-2]", "stationmaster");
  await page.screenshot({ path: `/tmp/h/F.shot-${tag}-new.png`, fullPage: true });
  const r = await page.evaluate(async () => { const res = await fetch("/api/tables", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ map: "europe", seats: [{ kind: "me" }, { kind: "bot", bot: "passenger" }, { kind: "bot", bot: "porter" }, { kind: "open" }, { kind: "bot", bot: "stationmaster" }], order: "fixed" }) }); return res.json(); });
  await page.goto(base + "/t/" + r.id); await page.waitForTimeout(900);
  await page.screenshot({ path: `/tmp/h/F.shot-${tag}-room.png` });
  await page.selectOption("[data-testid=put-4]", "driver"); await page.waitForTimeout(600);
  await page.click("[data-testid=start]"); await page.waitForTimeout(3000);
  await page.screenshot({ path: `/tmp/h/F.shot-${tag}-table.png` });
  await page.evaluate((id) => fetch(`/api/tables/${id}/leave`, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }), r.id);
  for (let i = 0; i < 60; i++) { await page.waitForTimeout(1000); const s = await page.evaluate((id) => fetch(`/api/tables/${id}`).then((x) => x.json()), r.id); if (s.state === "over") break; }
  await page.goto(base + "/t/" + r.id); await page.waitForTimeout(2500);
  await page.evaluate(() => document.querySelector("table caption")?.scrollIntoView());
  await page.waitForTimeout(500);
  await page.screenshot({ path: `/tmp/h/F.shot-${tag}-end.png` });
  await ctx.close();
}
await shots("wide", { width: 1280, height: 800 }, "light");
await shots("phone", { width: 390, height: 844 }, "dark");
await shots("ro", { width: 390, height: 844 }, "light", "ro");
await browser.close();
