/** Pictures of the page: `npx playwright test -c tools/pictures.config.ts`; with ALL=folder every screen goes there too. */
import { defineConfig } from "@playwright/test";
import tests from "../playwright.config.ts";

export default defineConfig({
  ...tests,
  testDir: "../browser",
  testMatch: "pictures.ts",
  globalSetup: "../browser/setup.ts",
  outputDir: "../test-results",
  timeout: 240_000,
});
