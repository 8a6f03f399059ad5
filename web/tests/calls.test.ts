/** A browser that is told of turns goes on to be when the service has another key. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { calls } from "../src/lib/calls.svelte.ts";

const OLD = "BOLD",
  NEW = "BNEW"; // base64url without anything left over
const ENDPOINT = "https://push.example.org/one";
const ID = "82l3gzFtd4wu-b0kpP0SfA"; // as the service makes it of the endpoint: tests/server/notices/test_rules.py

let devices: { id: string; name: string; created: number }[];
let asked: string[];
let subscribed: { key: string; endpoint: string } | null;

const bytes = (text: string) => Uint8Array.from(atob(text), (each) => each.charCodeAt(0)).buffer;

/** What the browser's push manager gives. */
function made({ key, endpoint }: { key: string; endpoint: string }) {
  const unsubscribe = async () => ((subscribed = null), asked.push("unsubscribe"), true);
  return {
    endpoint,
    options: { applicationServerKey: bytes(key) },
    toJSON: () => ({ endpoint, keys: { p256dh: "p", auth: "a" } }),
    unsubscribe,
  };
}
const pushManager = {
  getSubscription: async () => subscribed && made(subscribed),
  subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
    subscribed = { key: applicationServerKey, endpoint: "https://push.example.org/two" };
    return made(subscribed);
  },
};

beforeEach(() => {
  asked = [];
  devices = [{ id: ID, name: "phone", created: 1 }];
  subscribed = { key: OLD, endpoint: ENDPOINT };
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("PushManager", class {});
  vi.stubGlobal("Notification", { permission: "granted", requestPermission: async () => "granted" });
  vi.stubGlobal("navigator", {
    userAgent: "Firefox Linux",
    serviceWorker: { ready: Promise.resolve({ pushManager }), getRegistration: async () => ({ pushManager }) },
  });
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
    if (init?.method && init.method !== "GET")
      asked.push(
        `${init.method} ${path} ${init.body ? (JSON.parse(String(init.body)) as { key: string }).key : ""}`.trim(),
      );
    if (init?.method === "DELETE") devices = devices.filter(({ id }) => !path.endsWith(id));
    const told =
      path === "/api/me"
        ? { id: "me" }
        : { settings: { push: ["turn"], mail: [], quiet: null }, devices, mail: null, mail_offered: false, key: NEW };
    return new Response(JSON.stringify(told));
  });
});
afterEach(() => vi.unstubAllGlobals());

it("subscribes anew with the service's key, in the place of the old subscription", async () => {
  await calls.renew();
  expect(asked).toEqual([`DELETE /api/me/devices/${ID}`, "unsubscribe", `POST /api/me/devices ${NEW}`]);
  expect(subscribed).toEqual({ key: NEW, endpoint: "https://push.example.org/two" });
  asked = [];
  await calls.renew();
  expect(asked).toEqual([]);
});

it("leaves a browser alone that knows the key, that was removed, or that was never asked", async () => {
  subscribed = { key: NEW, endpoint: ENDPOINT };
  await calls.renew();
  subscribed = { key: OLD, endpoint: ENDPOINT };
  devices = [];
  await calls.renew();
  subscribed = null;
  await calls.renew();
  expect(asked).toEqual([]);
});

it("asks nobody for a permission", async () => {
  vi.stubGlobal("Notification", { permission: "default", requestPermission: () => expect.unreachable() });
  await calls.renew();
  expect(asked).toEqual([]);
});
