import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { catalogues } from "./tools/catalogues.ts";
import { notices, noticesOfWorkers } from "./tools/notices.ts";
import { teaching } from "./tools/teaching.ts";
import { worker } from "./tools/worker.ts";

const service = process.env.BRANCHLINE_SERVICE ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [catalogues(), teaching(), svelte(), notices(), worker()],
  build: {
    outDir: process.env.BRANCHLINE_PAGE ?? "../branchline/server/page",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: "es", plugins: () => [noticesOfWorkers()] },
  resolve: process.env.VITEST ? { conditions: ["browser"] } : undefined,
  server: { proxy: { "/api": { target: service, ws: true } } },
  test: { environment: "happy-dom", include: ["tests/*.test.ts"] },
});
