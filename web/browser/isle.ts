/** A service with a map of the operator's own, a small one: its games are over soon. */
import { fileURLToPath } from "node:url";
import { test as base } from "./base.ts";
import { Service } from "./service.ts";

const ISLE = fileURLToPath(new URL("../../tests/data/maps/tiny.json", import.meta.url));

export const test = base.extend<object, { service: Service }>({
  service: [
    async ({}, use) => {
      const service = await new Service({}, ["--map", ISLE]).start();
      await use(service);
      await service.stop();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ service }, use) => use(service.url),
});
