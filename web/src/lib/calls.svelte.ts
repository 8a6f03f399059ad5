/** How this visitor is called back to a table: what the service keeps of it, and whether this browser can be told. */
import { lang } from "../i18n/index.svelte.ts";
import type { CallKind, Calls, CallSettings } from "../wire.ts";
import { api } from "./api.ts";
import { visitor } from "./visitor.svelte.ts";

/** Why this browser cannot be told; "" if it can. */
export type WhyNot = "" | "insecure" | "unsupported" | "denied" | "worker";
const READY = 10_000; // milliseconds for the service worker to be there

class CalledBack {
  now = $state.raw<Calls | null>(null);
  here = $state<string | null>(null); // the endpoint of this browser's subscription

  async load(): Promise<Calls> {
    await visitor.load();
    this.now = await api.calls();
    this.here = (await subscription())?.endpoint ?? null;
    return this.now;
  }

  get whyNot(): WhyNot {
    if (!isSecureContext) return "insecure";
    if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) return "unsupported";
    return Notification.permission === "denied" ? "denied" : "";
  }

  async save(settings: CallSettings): Promise<void> {
    await visitor.speak(lang.code); // a notice speaks the language of this page
    this.now = await api.changeCalls(settings);
  }

  /** Tells this browser from now on: asks the visitor, the push service, and then ours. */
  async subscribe(): Promise<WhyNot> {
    const not = this.whyNot;
    if (not || !this.now) return not || "worker";
    if ((await Notification.requestPermission()) !== "granted") return "denied";
    const registration = await ready();
    if (!registration) return "worker";
    const before = await registration.pushManager.getSubscription();
    if (before && keyOf(before) !== this.now.key) await before.unsubscribe(); // the service has another key by now
    const made = await registration.pushManager
      .subscribe({ userVisibleOnly: true, applicationServerKey: this.now.key })
      .catch(() => null);
    if (!made) return "unsupported";
    const { endpoint, keys } = made.toJSON();
    this.now = await api.addDevice({
      endpoint: endpoint!,
      p256dh: keys!.p256dh!,
      auth: keys!.auth!,
      key: this.now.key,
      name: deviceName(),
    });
    this.here = made.endpoint;
    return "";
  }

  /** Where the service has another key by now, this browser subscribes anew, if it is one of those that are told. */
  async renew(): Promise<void> {
    const before = this.whyNot ? null : await subscription();
    if (!before || !keyOf(before) || Notification.permission !== "granted") return;
    const { key, devices } = await this.load();
    const id = await idOf(before.endpoint);
    if (keyOf(before) === key || !devices.some((device) => device.id === id)) return;
    this.now = await api.dropDevice(id); // first, for there may be no room for one more
    await this.subscribe();
  }

  /** One kind more, on this browser too: what a visitor wants who is asked at the table. */
  async want(kind: CallKind): Promise<WhyNot> {
    const { settings } = this.now ?? (await this.load());
    const not = await this.subscribe();
    if (!not && !settings.push.includes(kind)) await this.save({ ...settings, push: [...settings.push, kind] });
    return not;
  }

  async removeDevice(id: string): Promise<void> {
    this.now = await api.dropDevice(id);
    if (this.now.devices.length === 0) {
      await (await subscription())?.unsubscribe();
      this.here = null;
    }
  }
}
export const calls = new CalledBack();

async function ready(): Promise<ServiceWorkerRegistration | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, READY, null));
  return Promise.race([navigator.serviceWorker.ready, late]);
}

async function subscription(): Promise<PushSubscription | null> {
  if (!("serviceWorker" in navigator && "PushManager" in window)) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

function keyOf(made: PushSubscription): string {
  const key = made.options.applicationServerKey;
  return key ? base64(new Uint8Array(key)) : "";
}

/** What the service calls the device of an endpoint. */
async function idOf(endpoint: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return base64(new Uint8Array(digest).slice(0, 16));
}

const base64 = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** What a visitor would call this device: its browser and its system. */
export function deviceName(agent = navigator.userAgent): string {
  const browser =
    /Firefox/.exec(agent)?.[0] ?? (/Edg\//.test(agent) ? "Edge" : (/Chrome|Safari/.exec(agent)?.[0] ?? "Browser"));
  const system = /Android|iPhone|iPad|Windows|Macintosh|Linux/.exec(agent)?.[0].replace("Macintosh", "Mac");
  return system ? `${browser}, ${system}` : browser;
}
