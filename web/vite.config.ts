import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { catalogues } from "./tools/catalogues.ts";
import { notices } from "./tools/notices.ts";

const service = process.env.BRANCHLINE_SERVICE ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [catalogues(), svelte(), notices()],
  build: {
    outDir: process.env.BRANCHLINE_PAGE ?? "../branchline/server/page",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  resolve: process.env.VITEST ? { conditions: ["browser"] } : undefined,
  server: { proxy: { "/api": { target: service, ws: true } } },
  test: { environment: "happy-dom", include: ["tests/*.test.ts"] },
});
