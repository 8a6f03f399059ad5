/**
 * Somebody whose page is closed is called back. `PushManager.subscribe` alone is replaced, for it would ask the browser's
 * maker; from there on all is real: the service, a push service on a socket, the service worker, the notification.
 */
import { createHash } from "node:crypto";
import type { CDPSession } from "@playwright/test";
import type { Calls, TableWire } from "../src/wire.ts";
import { expect, ME, OPEN, type Page, test } from "./base.ts";
import { PushService } from "./push.ts";
import { byId } from "./screen.ts";
import { Service } from "./service.ts";

const DAYS = { kind: "days", days: 2 };
const push = new PushService();
let service: Service;

test.use({ serviceWorkers: "allow", permissions: ["notifications"] });
test.beforeAll(async () => {
  await push.start();
  service = await new Service({}, ["--push-allow", push.place, "--call-after", "0"]).start();
});
test.afterAll(async () => {
  push.stop();
  await service.stop();
});

/** The service worker's registration, as DevTools knows it. */
async function registration(devtools: CDPSession): Promise<string> {
  const found = new Promise<string>((resolve) => {
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const ours = registrations.find((each) => each.scopeURL.startsWith(service.url) && !each.isDeleted);
      if (ours) resolve(ours.registrationId);
    });
  });
  await devtools.send("ServiceWorker.enable");
  return found;
}

async function subscribed(page: Page): Promise<void> {
  await page.addInitScript((made) => {
    const subscription = { ...made, options: {}, toJSON: () => made, unsubscribe: () => Promise.resolve(true) };
    PushManager.prototype.subscribe = () => Promise.resolve(subscription as unknown as PushSubscription);
  }, push.subscription);
}

/** Bo, another guest, has a table with days; Ada sits down there, and Bo begins. */
async function daysGame(page: Page): Promise<string> {
  const bo = await page.context().browser()!.newContext({ baseURL: service.url });
  await bo.request.get("/api/me");
  const headers = { origin: service.url };
  await bo.request.post("/api/me", { data: { name: "Bo" }, headers });
  const made = await bo.request.post("/api/tables", {
    data: { map: "europe", seats: [ME, OPEN], order: "fixed", clock: DAYS, seed: 7 },
    headers,
  });
  const { id } = (await made.json()) as TableWire;
  expect((await page.request.post(`/api/tables/${id}/sit`, { data: {}, headers })).ok()).toBe(true);
  expect((await bo.request.post(`/api/tables/${id}/start`, { data: {}, headers })).ok()).toBe(true);
  await bo.close();
  return id;
}

test("a turn is pushed to the service worker, shown, and a tap on it opens the table", async ({ browser }) => {
  const context = await browser.newContext({
    baseURL: service.url,
    permissions: ["notifications"],
    serviceWorkers: "allow",
    locale: "ro-RO",
  });
  const page = await context.newPage();
  await subscribed(page);
  const devtools = await context.newCDPSession(page);
  await page.goto("/settings");
  const id = await registration(devtools);
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated", undefined, {
    timeout: 30_000,
  });
  await byId(page, "push-turn").click();
  await expect(byId(page, "push-turn")).toBeChecked();
  await expect(byId(page, "call-me").locator("li")).toHaveCount(1);
  const wanted = async () => ((await (await page.request.get("/api/me/calls")).json()) as Calls).settings.push;
  await expect.poll(wanted).toEqual(["turn"]); // first the device is kept, then the wish

  const table = await daysGame(page);
  const told = await push.next(1);
  expect(told).toEqual({ title: "E rândul tău", body: "Europa, cu Bo", tag: table, url: `/t/${table}`, kind: "turn" });
  const { key } = (await (await page.request.get("/api/me/calls")).json()) as Calls;
  expect(push.senders).toEqual([key]);

  await devtools.send("ServiceWorker.deliverPushMessage", {
    origin: service.url,
    registrationId: id,
    data: JSON.stringify(told),
  });
  const shown = () =>
    page.evaluate(async () => {
      const notices = await (await navigator.serviceWorker.ready).getNotifications();
      return notices.map(({ title, body, tag }) => ({ title, body, tag }));
    });
  await expect.poll(shown).toEqual([{ title: "E rândul tău", body: "Europa, cu Bo", tag: table }]);

  const worker = context.serviceWorkers()[0]!;
  await worker.evaluate(`(async () => {
    const [notification] = await self.registration.getNotifications();
    self.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
  })()`);
  await page.waitForURL(`**/t/${table}`);
  await expect.poll(shown).toEqual([]);
  await expect(byId(page, "ticket-choice")).toBeVisible();
  expect(push.arrived).toHaveLength(1);

  // The browser has another subscription: it is told in the place of the first, under its name.
  const devices = async () => ((await (await page.request.get("/api/me/calls")).json()) as Calls).devices;
  const [{ name }] = (await devices()) as [Calls["devices"][0]];
  const idOf = (at: string) => createHash("sha256").update(at).digest().subarray(0, 16).toString("base64url");
  const { endpoint, keys } = push.subscription;
  const change = (old: string, made: string) =>
    worker.evaluate(`
      self.dispatchEvent(Object.assign(new ExtendableEvent("pushsubscriptionchange"), {
        oldSubscription: { endpoint: ${JSON.stringify(old)} },
        newSubscription: { toJSON: () => (${JSON.stringify({ endpoint: made, keys })}) },
      }))`);
  const now = async () => (await devices()).map(({ id, name }) => ({ id, name }));
  await change(endpoint, `${endpoint}/two`);
  await expect.poll(now).toEqual([{ id: idOf(`${endpoint}/two`), name }]);
  await change(`${endpoint}/gone`, `${endpoint}/three`); // of a device that was removed: nobody wants it
  await change(`${endpoint}/two`, `${endpoint}/four`);
  await expect.poll(now).toEqual([{ id: idOf(`${endpoint}/four`), name }]);
  await context.close();
});
