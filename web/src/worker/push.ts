/** What is pushed to this browser is shown; a tap on it opens the table. The service has put it into words. */
import { deviceName, idOf } from "../lib/device.ts";
import type { ToPage } from "./messages.ts";

declare const self: ServiceWorkerGlobalScope;

interface Pushed {
  title: string;
  body: string;
  tag: string;
  url: string;
}
interface Calls {
  key: string;
  devices: { id: string; name: string }[];
}
/** As browsers tell it that do; others leave both out. */
interface Changed extends ExtendableEvent {
  oldSubscription?: PushSubscription | null;
  newSubscription?: PushSubscription | null;
}

self.addEventListener("push", (event) => event.waitUntil(show(read(event.data))));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open((event.notification.data as { url: string }).url));
});
self.addEventListener("notificationclose", (event) => event.waitUntil(count(event.notification.tag)));
self.addEventListener("pushsubscriptionchange", (event) =>
  (event as ExtendableEvent).waitUntil(subscribe(event as Changed)),
);

/** A browser that was told something has to show something, so what cannot be read is shown by its name alone. */
function read(data: PushMessageData | null): Pushed {
  try {
    const said = data?.json() as Partial<Pushed>;
    const url = new URL(said.url ?? "/", self.location.origin);
    const path = url.origin === self.location.origin ? url.pathname : "/";
    return { title: said.title || "Branchline", body: said.body ?? "", tag: said.tag ?? "", url: path };
  } catch {
    return { title: "Branchline", body: "", tag: "", url: "/" };
  }
}

async function show({ title, body, tag, url }: Pushed): Promise<void> {
  await self.registration.showNotification(title, {
    body,
    tag,
    data: { url },
    icon: "/icons/icon-192.png",
    badge: "/icons/icon-192.png",
  });
  await count();
  for (const page of await pages()) page.postMessage({ kind: "turns" } satisfies ToPage);
}

/** The icon says how many notices wait; `gone` is the one that is just being put away. */
async function count(gone?: string): Promise<void> {
  const waiting = (await self.registration.getNotifications()).filter(
    (notice) => gone === undefined || notice.tag !== gone,
  ).length;
  await (waiting ? navigator.setAppBadge?.(waiting) : navigator.clearAppBadge?.())?.catch(() => undefined);
}

/** The table: in the page that shows it already, else in one that is open, else in a new one. */
async function open(url: string): Promise<void> {
  await count();
  const all = await pages();
  const there = all.find((page) => new URL(page.url).pathname === url);
  const page = there ?? all[0];
  if (!page) {
    await self.clients.openWindow(url);
    return;
  }
  await page.focus().catch(() => undefined);
  if (!there) await page.navigate(url).catch(() => self.clients.openWindow(url));
}

const pages = () => self.clients.matchAll({ type: "window", includeUncontrolled: true });

/** The browser has another subscription now: it takes the place of the device that it was, under the same name. */
async function subscribe({ oldSubscription: old, newSubscription }: Changed): Promise<void> {
  const { key, devices } = (await (await fetch("/api/me/calls")).json()) as Calls;
  const id = old ? await idOf(old.endpoint) : null;
  const before = devices.find((device) => device.id === id);
  if (old && !before) return; // it was removed, or another guest's: nobody asked for a new one
  const made =
    newSubscription ??
    (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  if (before) await fetch(`/api/me/devices/${before.id}`, { method: "DELETE" }); // first, for there may be no room
  const { endpoint, keys } = made.toJSON();
  const name = before?.name ?? deviceName(self.navigator.userAgent);
  const body = JSON.stringify({ endpoint, p256dh: keys?.p256dh, auth: keys?.auth, key, name });
  await fetch("/api/me/devices", { method: "POST", headers: { "content-type": "application/json" }, body });
}
