/** The tests in a real browser, against the real service: `npm run browser`. */
import { execSync } from "node:child_process";
import { defineConfig } from "@playwright/test";

const chromium = process.env.CHROMIUM ?? execSync("command -v chromium", { encoding: "utf8" }).trim();

export default defineConfig({
  testDir: "browser",
  testMatch: "*.spec.ts",
  globalSetup: "./browser/setup.ts",
  fullyParallel: true,
  workers: 2,
  retries: 1, // said to be flaky in the list; what fails twice has failed (docs/decisions/0016)
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  outputDir: "test-results",
  use: {
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
    serviceWorkers: "block", // what is kept for another time is of no use here; offline.spec.ts lets them in
    reducedMotion: "reduce", // what moves is shown at once
    actionTimeout: 15_000,
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: chromium,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--mute-audio",
      ],
    },
  },
});
