/** My games, and how many of them wait for me: asked for while the page is looked at, and shown wherever I am. */
import { Poll } from "../pages/poll.svelte.ts";
import type { ToPage } from "../worker/messages.ts";
import { api } from "./api.ts";
import { route } from "./route.svelte.ts";
import { visitor } from "./visitor.svelte.ts";
import type { TableLine } from "../wire.ts";

const EVERY = 10_000; // milliseconds
const IN_A_GAME = 30_000;

class Turns extends Poll<TableLine[]> {
  count = $derived((this.value ?? []).filter((line) => line.your_turn && !line.aside).length);

  constructor() {
    super(
      () => visitor.load().then(api.mine),
      () => (route.parts[0] === "t" ? IN_A_GAME : EVERY),
    );
  }

  /** Marks the icon of the page, and of the app where it is installed; asks at once when something was pushed. */
  watch(): () => void {
    const heard = (event: MessageEvent) => (event.data as ToPage).kind === "turns" && void this.now();
    navigator.serviceWorker?.addEventListener("message", heard);
    const stop = this.start();
    $effect(() => badge(this.count));
    return () => {
      navigator.serviceWorker?.removeEventListener("message", heard);
      stop();
    };
  }
}
export const turns = new Turns();

function badge(count: number): void {
  if ("setAppBadge" in navigator)
    void (count ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined);
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  if (!icon) return;
  icon.dataset.plain ??= icon.href;
  if (!count) icon.href = icon.dataset.plain;
  else
    void marked(icon.dataset.plain).then(
      (marked) => (icon.href = marked),
      () => undefined,
    );
}

/** The page's own icon with a red dot. */
async function marked(plain: string): Promise<string> {
  const drawing = await (await fetch(plain)).text();
  const [, , width = "64"] = /viewBox="([^"]*)"/.exec(drawing)?.[1]?.split(" ") ?? [];
  const size = Number(width);
  const dot = `<circle cx="${size * 0.76}" cy="${size * 0.24}" r="${size * 0.22}" fill="#c8102e" stroke="#fff" stroke-width="${size * 0.05}"/>`;
  return `data:image/svg+xml,${encodeURIComponent(drawing.replace("</svg>", `${dot}</svg>`))}`;
}
