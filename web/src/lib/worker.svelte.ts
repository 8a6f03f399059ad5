/** The service worker, seen from the page: it is registered, and a newer build of the page is told. */
import type { FromPage } from "../worker/messages.ts";

const EVERY = 600_000; // milliseconds: a page that is looked at again asks no oftener for a newer build

class Worker {
  newer = $state(false); // a newer build of the page lies ready
  #registration: ServiceWorkerRegistration | undefined;
  #asked = 0;

  async register(): Promise<void> {
    this.#registration = await navigator.serviceWorker.register("/sw.js").catch(() => undefined); // the page works without
    if (!this.#registration) return;
    this.#asked = Date.now();
    this.#registration.addEventListener("updatefound", () => this.#watch(this.#registration!.installing));
    document.addEventListener("visibilitychange", () => this.#look());
    await this.#compare();
  }

  /** Loads the newer build; other pages of the old one keep their files. */
  renew(): void {
    this.#registration?.waiting?.postMessage({ kind: "take over" } satisfies FromPage);
    location.reload();
  }

  #look(): void {
    if (document.hidden || Date.now() - this.#asked < EVERY) return;
    this.#asked = Date.now();
    this.#registration?.update().catch(() => undefined); // no network: another time
  }

  #watch(worker: ServiceWorker | null): void {
    worker?.addEventListener("statechange", () => void this.#compare());
  }

  /** A worker that waits is of a newer build, unless this page has been loaded from it already. */
  async #compare(): Promise<void> {
    const { waiting } = this.#registration!;
    if (waiting)
      this.newer =
        (await entryOf(waiting)) !==
        new URL(document.querySelector<HTMLScriptElement>("script[type=module][src]")!.src).pathname;
  }
}
export const worker = new Worker();

function entryOf(worker: ServiceWorker): Promise<string> {
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise<string>((resolve) => (port1.onmessage = (event) => resolve(event.data as string)));
  worker.postMessage({ kind: "entry" } satisfies FromPage, [port2]);
  return answer;
}
