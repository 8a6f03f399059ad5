/** Which browser is told: goes on to be when the service has another key, and knows when it is not told any more. */
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { lang, type Lang, LANGUAGES, setLang, t } from "../src/i18n/index.svelte.ts";
import { api } from "../src/lib/api.ts";
import { calls, lasts } from "../src/lib/calls.svelte.ts";
import { deviceName, idOf } from "../src/lib/device.ts";
import CallMe from "../src/pages/CallMe.svelte";
import Carry from "../src/pages/Carry.svelte";

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
const TWO = "https://push.example.org/two";
let fails: string;
let wishes: string[];
const pushManager = {
  getSubscription: async () => subscribed && made(subscribed),
  subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
    if (fails) throw new DOMException("no", fails);
    subscribed ??= { key: applicationServerKey, endpoint: TWO };
    return made(subscribed);
  },
};

beforeEach(() => {
  asked = [];
  fails = "";
  wishes = ["turn"];
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
        `${init.method} ${path} ${init.body ? ((JSON.parse(String(init.body)) as { key?: string }).key ?? "") : ""}`.trim(),
      );
    if (init?.method === "POST" && path === "/api/me/devices") {
      const { endpoint, name } = JSON.parse(String(init.body)) as { endpoint: string; name: string };
      devices = [...devices, { id: await idOf(endpoint), name, created: 2 }];
    }
    if (init?.method === "POST" && path === "/api/me/calls")
      wishes = (JSON.parse(String(init.body)) as { push: string[] }).push;
    if (init?.method === "DELETE") devices = devices.filter(({ id }) => !path.endsWith(id));
    const told =
      path === "/api/me"
        ? { id: "me" }
        : { settings: { push: wishes, mail: [], quiet: null }, devices, mail: null, mail_offered: false, key: NEW };
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

describe("this browser is told", () => {
  beforeEach(() => (subscribed = { key: NEW, endpoint: ENDPOINT }));

  it("while its own device is among those of the guest, and not because of others", async () => {
    devices.push({ id: "another", name: "laptop", created: 2 });
    await calls.load();
    expect(calls.here).toBe(true);
    await calls.removeDevice("another");
    expect(calls.here).toBe(true);
    expect(subscribed).not.toBeNull();
    devices.push({ id: "another", name: "laptop", created: 2 });
    await calls.removeDevice(ID); // one of several
    expect(calls.here).toBe(false);
    expect(subscribed).toBeNull();
  });

  it("no more when the service has dropped it, and then it subscribes anew", async () => {
    devices = [];
    await calls.load();
    expect(calls.here).toBe(false);
    expect(await calls.subscribe()).toBe("");
    expect(asked).toEqual(["unsubscribe", `POST /api/me/devices ${NEW}`]);
    expect(subscribed!.endpoint).toBe(TWO); // what may come for another guest at the old one finds nobody
    expect(calls.here).toBe(true);
  });

  it("as the guest it becomes, and no more as the one it was", async () => {
    await calls.across(() => api.carry("words"));
    expect(asked).toEqual([
      `DELETE /api/me/devices/${ID}`,
      "unsubscribe",
      "POST /api/carry",
      `POST /api/me/devices ${NEW}`,
    ]);
    expect(subscribed!.endpoint).toBe(TWO);
  });

  it("of nothing new where it was not told before, nor of what was another guest's", async () => {
    devices = [];
    await calls.across(() => api.carry("words"));
    expect(asked).toEqual(["unsubscribe", "POST /api/carry"]);
    subscribed = null;
    asked = [];
    await calls.across(() => api.carry("words"));
    expect(asked).toEqual(["POST /api/carry"]);
  });

  it("still, as who it was, where it could not become another", async () => {
    await expect(calls.across(() => Promise.reject(new Error("used")))).rejects.toThrow("used");
    expect(calls.here).toBe(true);
  });

  it("or it says why not, and whether that lasts", async () => {
    for (const [name, not] of [
      ["NotAllowedError", "denied"],
      ["NotSupportedError", "unsupported"],
      ["AbortError", "service"], // no network, or a browser without a push service
      ["NetworkError", "service"],
    ] as const) {
      fails = name;
      subscribed = null;
      await calls.load();
      expect(await calls.subscribe()).toBe(not);
      expect(lasts(not)).toBe(not !== "service");
    }
    vi.stubGlobal("Notification", { permission: "default", requestPermission: async () => "default" });
    expect(await calls.subscribe()).toBe("unasked");
  });
});

describe("the settings", () => {
  let shown: Record<string, unknown> | null = null;
  afterEach(async () => {
    if (shown) await unmount(shown);
    document.body.innerHTML = "";
    await setLang("en", false);
  });
  const byId = (id: string) => document.querySelector<HTMLInputElement>(`[data-testid="${id}"]`);

  async function open(): Promise<void> {
    calls.now = null;
    shown = mount(CallMe, { target: document.body });
    await vi.waitFor(() => expect(byId("push-turn")).not.toBeNull());
    flushSync();
  }

  it.each(Object.keys(LANGUAGES) as Lang[])("say in %s why nothing can come without https", async (code) => {
    vi.stubGlobal("isSecureContext", false);
    devices = [];
    wishes = [];
    subscribed = null;
    await setLang(code, false);
    await open();
    expect(lang.code).toBe(code);
    expect(byId("why-no-push")!.textContent).toBe(t("shell.call.not.insecure"));
    expect(byId("why-no-push")!.textContent).toContain("https");
    expect(byId("push-turn")!.disabled).toBe(true);
    expect(byId("add-device")).toBeNull();
  });

  it("leave a switch off where this browser could not be told, and offer it again", async () => {
    devices = [];
    wishes = [];
    subscribed = null;
    fails = "AbortError";
    await open();
    byId("push-turn")!.click();
    await vi.waitFor(() => expect(byId("why-no-push")!.textContent).toBe(t("shell.call.not.service")));
    expect(byId("push-turn")!.checked).toBe(false);
    expect(wishes).toEqual([]);
    expect(byId("add-device")).not.toBeNull();
    fails = "";
    byId("push-turn")!.click();
    await vi.waitFor(() => expect(wishes).toEqual(["turn"]));
    expect(byId("push-turn")!.checked).toBe(true);
    await vi.waitFor(() => expect(byId("why-no-push")).toBeNull());
    expect(devices.map((device) => device.name)).toEqual([deviceName("Firefox Linux")]);
  });
});

it("a seat that is carried here takes the notices of this browser along", async () => {
  subscribed = { key: NEW, endpoint: ENDPOINT };
  const answer = globalThis.fetch;
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) =>
    path === "/api/carry/look"
      ? new Response(JSON.stringify({ name: "Ada", games: 1, leaves: 0, same: false }))
      : answer(path, init),
  );
  const leave = vi.spyOn(location, "assign").mockImplementation(() => undefined);
  const shown = mount(Carry, { target: document.body });
  const byId = <T extends HTMLElement>(id: string) => document.querySelector<T>(`[data-testid="${id}"]`)!;
  byId<HTMLInputElement>("carry-typed").value = "five words";
  byId("carry-typed").dispatchEvent(new Event("input", { bubbles: true }));
  flushSync();
  byId("carry-look").click();
  await vi.waitFor(() => expect(byId("carry-become")).not.toBeNull());
  byId("carry-become").click();
  await vi.waitFor(() => expect(leave).toHaveBeenCalledWith("/games"));
  expect(asked).toEqual([
    `DELETE /api/me/devices/${ID}`,
    "unsubscribe",
    "POST /api/carry",
    `POST /api/me/devices ${NEW}`,
  ]);
  await unmount(shown);
});
