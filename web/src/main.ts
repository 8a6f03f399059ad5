import "./style/fonts.css";
import "./style/tokens.css";
import "./style/base.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { preferred, setLang } from "./i18n/index.svelte.ts";
import { settings } from "./lib/settings.svelte.ts";

settings.apply();
await setLang(preferred(), false);
mount(App, { target: document.getElementById("app")! });
