/** What drawing costs, against another build: `PAGE_BEFORE=folder npx playwright test -c tools/frames.config.ts`. */
import { defineConfig } from "@playwright/test";
import tests from "../playwright.config.ts";

export default defineConfig({
  ...tests,
  testDir: "../browser",
  testMatch: "frames.ts",
  globalSetup: "../browser/setup.ts",
  outputDir: "../test-results",
  workers: 1,
});
