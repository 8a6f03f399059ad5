import "../src/style/fonts.css";
import "../src/style/tokens.css";
import "../src/style/base.css";
import { mount } from "svelte";
import { type Lang, setLang } from "../src/i18n/index.svelte.ts";
import Gallery from "./Gallery.svelte";

const wish = new URLSearchParams(location.search);
const theme = wish.get("theme");
if (theme) document.documentElement.dataset.theme = theme;
await setLang((wish.get("lang") ?? "en") as Lang, false);
mount(Gallery, { target: document.getElementById("app")! });
