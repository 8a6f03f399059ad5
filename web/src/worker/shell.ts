/**
 * The page itself without a network: what was built is kept, whole, one store a build. Answers of the service are never
 * kept and never touched; neither is anything else that differs from one person to another.
 *
 * A new build is stored beside the old one and waits until no page of the old one is open, so a running page finds its
 * files for as long as it runs. An address is asked for over the network first, so whoever loads a page gets the newest.
 */
import type { FromPage } from "./messages.ts";

declare const self: ServiceWorkerGlobalScope;
/** Written by tools/worker.ts: the files of this build, a digest of them all, and the script its page begins with. */
declare const BUILD: { version: string; entry: string; files: string[] };
const { version, entry, files } = BUILD;

const PREFIX = "shell-";
const STORE = PREFIX + version;
const INDEX = "/index.html";
const PATIENCE = 8000; // milliseconds for an address; then the kept page opens and says how things stand

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(forgetOlder().then(() => self.clients.claim())));
self.addEventListener("message", (event) => event.waitUntil(hear(event)));
self.addEventListener("fetch", (event) => {
  const answer = answerTo(event.request);
  if (answer) event.respondWith(answer);
});

/** All of the build or nothing: where the service has moved on meanwhile, the next worker keeps the next build. */
async function keep(): Promise<void> {
  const store = await caches.open(STORE);
  try {
    await store.addAll(files.map((file) => new Request(file, { cache: isHashed(file) ? "default" : "no-cache" })));
    const index = await (await store.match(INDEX))!.text();
    if (!index.includes(entry)) throw new Error("the page is of another build");
  } catch (fault) {
    await caches.delete(STORE);
    throw fault;
  }
}

async function forgetOlder(): Promise<void> {
  const stores = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== STORE);
  await Promise.all(stores.map((name) => caches.delete(name)));
}

async function hear(event: ExtendableMessageEvent): Promise<void> {
  const said = event.data as FromPage;
  if (said.kind === "entry") event.ports[0]?.postMessage(entry);
  if (said.kind === "take over" && (await pages()).length <= 1) await self.skipWaiting();
}

const pages = () => self.clients.matchAll({ type: "window", includeUncontrolled: true });

/** Files that are named by what is in them: of one name there is one content, whatever the build. */
const isHashed = (path: string) => path.startsWith("/assets/");

/** An answer, or nothing where the browser should ask by itself. */
function answerTo(request: Request): Promise<Response> | undefined {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return undefined;
  if (request.mode === "navigate") return isPage(pathname) ? fresh(request, INDEX) : undefined;
  if (isHashed(pathname)) return kept(request);
  return files.includes(pathname) ? fresh(request, pathname) : undefined;
}

/** As the service decides it (transport/page.py): what is not the interface's and has no ending is the page. */
const isPage = (path: string) => !/^\/(api|healthz|readyz|metrics)(\/|$)/.test(path) && !/\.[^/]*$/.test(path);

/** A hashed file from whichever build has it. */
async function kept(request: Request): Promise<Response> {
  return (await caches.match(request.url)) ?? fetch(request);
}

/** From the network; where there is none, or nobody behind it, or it takes too long, as it was kept. */
async function fresh(request: Request, path: string): Promise<Response> {
  const network = fetch(request);
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE));
  const reply = await Promise.race([network, late]).catch(() => null);
  if (reply && reply.status < 500) return reply;
  return (await (await caches.open(STORE)).match(path)) ?? network;
}
