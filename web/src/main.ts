import "./style/fonts.css";
import "./style/tokens.css";
import "./style/base.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { preferred, setLang } from "./i18n/index.svelte.ts";
import "./lib/install.svelte.ts"; // the browser offers it once, early
import { settings } from "./lib/settings.svelte.ts";
import { worker } from "./lib/worker.svelte.ts";

const FIRST = 3000; // milliseconds that belong to the page alone, before it is kept for another time

settings.apply();
await setLang(preferred(), false);
mount(App, { target: document.getElementById("app")! });
if (import.meta.env.PROD && "serviceWorker" in navigator) setTimeout(() => void keep(), FIRST);

/** The page is kept for another time; a browser that is told of turns goes on to be. */
async function keep(): Promise<void> {
  await worker.register();
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const { calls } = await import("./lib/calls.svelte.ts");
  await calls.renew().catch(() => undefined); // another time
}
