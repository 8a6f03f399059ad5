/** How this visitor is called back to a table: what the service keeps of it, and whether this browser can be told. */
import { lang } from "../i18n/index.svelte.ts";
import type { CallKind, Calls, CallSettings } from "../wire.ts";
import { api } from "./api.ts";
import { base64, deviceName, idOf } from "./device.ts";
import { visitor } from "./visitor.svelte.ts";

/** Why this browser cannot be told; "" if it can. The first three last, the others may be over the next time. */
export type WhyNot = "" | "insecure" | "unsupported" | "denied" | "unasked" | "worker" | "service";
/** Whether nothing that is done here would change it. */
export const lasts = (not: WhyNot): boolean => ["insecure", "unsupported", "denied"].includes(not);
const READY = 10_000; // milliseconds for the service worker to be there

class CalledBack {
  now = $state.raw<Calls | null>(null);
  #mine = $state<string | null>(null); // what the service would call this browser's subscription

  /** Whether this browser is told. A subscription alone says little: it may be from another guest's time here, or the
   * service may have dropped it. */
  get here(): boolean {
    return this.now?.devices.some((device) => device.id === this.#mine) ?? false;
  }

  async load(): Promise<Calls> {
    await visitor.load();
    this.now = await api.calls();
    const made = await subscription();
    this.#mine = made ? await idOf(made.endpoint) : null;
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
    const answer = await Notification.requestPermission();
    if (answer !== "granted") return answer === "denied" ? "denied" : "unasked";
    const registration = await ready();
    if (!registration) return "worker";
    const before = await registration.pushManager.getSubscription();
    // The service has another key by now, or nobody else's messages are to come here.
    if (before && (keyOf(before) !== this.now.key || !(await this.#knows(before)))) await before.unsubscribe();
    const made = await registration.pushManager
      .subscribe({ userVisibleOnly: true, applicationServerKey: this.now.key })
      .catch((error: unknown) => failureOf(error));
    if (typeof made === "string") return made;
    const { endpoint, keys } = made.toJSON();
    this.now = await api.addDevice({
      endpoint: endpoint!,
      p256dh: keys!.p256dh!,
      auth: keys!.auth!,
      key: this.now.key,
      name: deviceName(),
    });
    this.#mine = await idOf(made.endpoint);
    return "";
  }

  async #knows(made: PushSubscription): Promise<boolean> {
    const id = await idOf(made.endpoint);
    return this.now!.devices.some((device) => device.id === id);
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
    if (id !== this.#mine) return;
    await (await subscription())?.unsubscribe();
    this.#mine = null;
  }

  /** Becomes another guest. This browser is told nothing of who it was; it is told as who it is, where it was before. */
  async across(become: () => Promise<unknown>): Promise<void> {
    const was = await this.#leave().catch(() => false);
    try {
      await become();
    } finally {
      const anew = async () => (await this.load(), await this.subscribe());
      if (was) await anew().catch(() => undefined); // the settings say so, and offer it again
    }
  }

  /** Ends this browser's subscription, whoever's it is; whether it was this guest's. */
  async #leave(): Promise<boolean> {
    const made = await subscription();
    if (!made) return false;
    await this.load();
    const was = this.here;
    if (was) await this.removeDevice(this.#mine!);
    else await made.unsubscribe();
    return was;
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

/** Why a browser that knows push gave no subscription. */
function failureOf(error: unknown): WhyNot {
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError") return "denied";
  return name === "NotSupportedError" ? "unsupported" : "service"; // which is away, or which this browser does without
}

function keyOf(made: PushSubscription): string {
  const key = made.options.applicationServerKey;
  return key ? base64(new Uint8Array(key)) : "";
}
