import { chromium } from "@playwright/test";
import { readFileSync } from "node:fs";
const { url, table } = JSON.parse(readFileSync("/tmp/shot/at.json"));
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const name = process.argv[2];
for (const [w, h, lang, scheme] of [[1280, 900, "en", "light"], [390, 844, "ro", "dark"]]) {
  const context = await browser.newContext({ viewport: { width: w, height: h }, locale: lang, colorScheme: scheme, serviceWorkers: "block" });
  const page = await context.newPage();
  page.on("console", (m) => m.type() === "error" && console.log(m.text()));
  page.on("pageerror", (e) => console.log("pageerror", e.message));
  await page.goto(`${url}/review/${table}${process.argv[3] ?? ""}`);
  await page.waitForTimeout(3500);
  await page.screenshot({ path: `/tmp/shot/${name}-${w}.png`, fullPage: true });
  await context.close();
}
await browser.close();
