// Shows one board alone, in a made-up middle of a game: /dev/board.html?map=europe&theme=dark&bare
import "../src/style/fonts.css";
import "../src/style/tokens.css";
import "../src/style/base.css";
import { mount } from "svelte";
import { setLang } from "../src/i18n/index.svelte.ts";
import BoardShow from "./BoardShow.svelte";

const asked = new URLSearchParams(location.search);
const theme = asked.get("theme");
if (theme) document.documentElement.dataset.theme = theme;
await setLang((asked.get("lang") ?? "en") as "en", false);
mount(BoardShow, {
  target: document.getElementById("app")!,
  props: { map: asked.get("map") ?? "europe", bare: asked.has("bare") },
});
