/** The text view alone, at a table of the running service: /dev/text.html?map=europe&bots=1&seed=7&lang=ro&theme=dark */
import { mount } from "svelte";
import "../src/style/fonts.css";
import "../src/style/tokens.css";
import "../src/style/base.css";
import { setLang, type Lang } from "../src/i18n/index.svelte.ts";
import { api } from "../src/lib/api.ts";
import TextShow from "./TextShow.svelte";

const query = new URLSearchParams(location.search);
const theme = query.get("theme");
if (theme) document.documentElement.dataset.theme = theme;
await setLang((query.get("lang") ?? "en") as Lang, false);
await api.me();
let id = query.get("table");
if (!id) {
  const bots = Number(query.get("bots") ?? 1);
  const bot = (await api.bots()).at(-1)!.id;
  const table = await api.create({
    map: query.get("map") ?? "europe",
    seats: [{ kind: "me" }, ...Array.from({ length: bots }, () => ({ kind: "bot" as const, bot }))],
    order: "fixed",
    seed: Number(query.get("seed") ?? 7),
    start: true,
  });
  id = table.id;
}
const facts = await api.facts((await api.table(id)).map);
mount(TextShow, { target: document.getElementById("app")!, props: { id, facts } });
