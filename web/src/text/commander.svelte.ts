/** Carries out what a player types or presses, and keeps what was answered. Legality is the service's business. */
import { list, t } from "../i18n/index.svelte.ts";
import type { Refusal, TableClient } from "../lib/client.svelte.ts";
import type { Names } from "../lib/names.ts";
import { TEXT } from "../mechanics/text.ts";
import { why } from "../table/words.ts";
import type { Answer, MapFacts, ViewWire } from "../wire.ts";
import { Places } from "./lexicon.ts";
import { menuOf, offerWords, paymentWords, ticketsNow, type Group, type Item } from "./menu.ts";
import { exampleOf, read } from "./parse.ts";
import type { Reading, Show, Wish } from "./reading.ts";
import { handWords, nowWords, playerWords, tableWords, ticketRows, trackWords } from "./situation.ts";
import { retell } from "./story.ts";
import { mark, partsOf, points, seatName, ticketName, trackName, type Part, type Telling } from "./words.ts";

/** One entry of the strip. */
export interface Printed {
  id: number;
  kind: "typed" | "said" | "good" | "refused";
  parts: Part[];
  rows: Part[][];
  clause: string;
}
export interface Option {
  parts: Part[];
  lines: string[];
}
/** Something the page has to know before it can send a move. */
export interface Question {
  title: Part[];
  options: Option[];
}

/** What can be typed: the mechanics' verbs after those for cards and tracks. */
const HELP = [
  ["draw", "claim"],
  ["tickets", "keep", "locos", "menu", "track", "hand", "mine", "table", "players", "now", "undo"],
] as const;
const KEPT = 100; // entries of the strip
const TOLD = 12; // sentences of the log at once

export class Commander {
  printed = $state.raw<Printed[]>([]);
  question = $state.raw<Question | null>(null);
  #places: Places;
  #next = 0;

  constructor(
    readonly client: TableClient,
    readonly facts: MapFacts,
    readonly names: Names,
  ) {
    this.#places = new Places(names);
  }

  get to(): Telling {
    return { names: this.names, seats: this.client.table?.seats ?? [], me: this.client.me };
  }

  get menu(): Group[] {
    const view = this.client.view;
    return view ? menuOf(this.client.offers, view, this.facts, this.names) : [];
  }

  /** A typed line. */
  async run(line: string): Promise<void> {
    const view = this.client.view;
    if (!line.trim() || !view) return;
    this.#print("typed", [{ text: line.trim() }]);
    const open = this.question;
    this.question = null;
    if (open && /^\s*\d{1,3}\s*$/u.test(line))
      return this.#pick(open.options, Number(line), (option) => this.choose(option));
    const reading = read(line, { offers: this.client.offers, view, names: this.names, places: this.#places });
    await this.#carryOut(reading, view);
  }

  /** A choice of the menu: sent, or asked what it costs. */
  async press(item: Item, confirm: boolean): Promise<void> {
    this.question = null;
    if (item.line) await this.#move([item.line], item.parts);
    else if (item.about) await this.#buy([item.about], {}, confirm);
  }

  /** An answer to the open question. */
  async choose(option: Option): Promise<void> {
    this.question = null;
    await this.#move(option.lines, option.parts);
  }

  async keep(line: string): Promise<void> {
    await this.#move([line], partsOf(offerWords(line, this.client.view!, this.names)));
  }

  async undo(): Promise<void> {
    this.question = null;
    if (!this.client.undo) return this.#say(t("text.no_undo"));
    const refusal = await this.client.takeUndo();
    if (refusal) this.#refused(refusal);
    else this.#print("good", [{ text: t("text.undone") }]);
  }

  async #carryOut(reading: Reading, view: ViewWire): Promise<void> {
    switch (reading.do) {
      case "move":
        return this.#move(reading.lines, partsOf(offerWords(reading.lines[0]!, view, this.names)));
      case "buy":
        return this.#buy(reading.about, reading.wish, false);
      case "undo":
        return this.undo();
      case "pick":
        return this.#pick(
          this.menu.flatMap((group) => group.items),
          reading.number,
          (item) => this.press(item, false),
        );
      case "show":
        return this.#show(reading.what, view);
      case "tracks":
        return this.#tracks(reading.tracks, reading.place, view);
      case "say":
        return this.#explain(reading);
    }
  }

  async #pick<T>(from: readonly T[], number: number, then: (picked: T) => Promise<void>): Promise<void> {
    const picked = from[number - 1];
    if (picked) await then(picked);
    else this.#say(t("text.no_choice", { n: number }));
  }

  async #move(lines: string[], words: Part[]): Promise<void> {
    if (!this.#ready()) return;
    const refusal = await this.client.move(lines);
    if (refusal) return this.#refused(refusal);
    this.question = null;
    this.#print("good", partsOf(t("text.moved", { words: marked(words) })));
  }

  /** Ask for the price, then pay it if there is one way to, else ask which. */
  async #buy(about: string[], wish: Wish, confirm: boolean): Promise<void> {
    if (!this.#ready()) return;
    const answers = await Promise.all(about.slice(0, 6).map((id) => this.client.ask(id)));
    const all = distinct(answers, this.names);
    if (!all.length) {
      const refused = answers.find((answer) => answer.clause) ?? answers[0];
      return refused && this.#refused(refused);
    }
    const fitting = all.filter(
      ({ paid }) => (wish.colour ?? paid.colour) === paid.colour && (wish.locos ?? paid.locos) === paid.locos,
    );
    const options = (fitting.length ? fitting : all).map(({ id, paid }) => ({
      parts: [...paymentWords(paid, id, this.names), ...this.#which(id, about)],
      lines: paid.lines,
    }));
    if (fitting.length === 1 && !confirm) return this.#move(options[0]!.lines, options[0]!.parts);
    const subject = names(about[0]!, this.names);
    const title = fitting.length ? t("text.pay_how", { about: subject }) : t("text.no_payment");
    this.question = { title: partsOf(title), options };
  }

  /** The colour of a track, where it is one of several. */
  #which(id: string, among: string[]): Part[] {
    const colour = among.length > 1 && this.names.tracks.get(id)?.colour;
    return colour ? [{ text: ` (${t(`thing.colour.${colour}`)})` }] : [];
  }

  #ready(): boolean {
    const { client } = this;
    const wrong =
      client.link === "lost" ? "text.lost" : client.busy ? "text.busy" : client.offers.length ? "" : "text.not_turn";
    if (wrong) this.#say(t(wrong));
    return !wrong;
  }

  #show(what: Show, view: ViewWire): void {
    const { offers } = this.client;
    switch (what) {
      case "hand":
        return this.#print("said", handWords(view));
      case "table":
        return this.#list(t("text.table"), tableWords(view, this.facts, this.names));
      case "players":
        return this.#list(
          t("text.players"),
          this.#ranking() ?? view.players.map((player) => playerWords(player, view, this.facts, this.to)),
        );
      case "mine":
        return this.#mine(view);
      case "now":
        return this.#list(t("text.now"), nowWords(view, offers, this.to));
      case "log":
        return this.#list(t("text.happened"), this.#latest());
      case "menu":
        return this.#showMenu(view);
      case "help": {
        const own = TEXT.flatMap((part) => part.help?.(this.facts) ?? []);
        const usable = [...HELP[0], ...own, ...HELP[1]];
        const some = exampleOf(this.names);
        return this.#list(
          t("text.help.title"),
          usable.map((word) => [{ text: `${t(`text.help.${word}.use`, some)} — ${t(`text.help.${word}.for`)}` }]),
        );
      }
    }
  }

  /** After the game: the places and totals. */
  #ranking(): Part[][] | undefined {
    const ranked = this.client.scores && [...this.client.scores].sort((a, b) => a.place - b.place);
    return ranked?.map(({ place, seat, total }) =>
      partsOf(
        t("text.place", {
          place,
          name: mark("seat", String(seat), seatName(this.to.seats, seat)),
          points: points(total),
        }),
      ),
    );
  }

  #mine(view: ViewWire): void {
    const rows = ticketRows(view, this.names).map((row) => [
      ...row.parts,
      { text: `: ${t(row.done ? "text.done" : "text.todo")}` },
    ]);
    if (rows.length) this.#list(t("text.tickets"), rows);
    else this.#say(t("text.tickets_none"));
  }

  #showMenu(view: ViewWire): void {
    const items = this.menu
      .flatMap((group) => group.items)
      .map((item) => [{ text: `${item.number}. ` }, ...item.parts]);
    const tickets = this.client.offers[0]?.startsWith("keep ") ? ticketsNow(this.client.offers, view) : [];
    const rows = tickets.map((id, i) => [{ text: `${i + 1}. ` }, ...partsOf(ticketName(id, this.names))]);
    if (items.length + rows.length) this.#list(t("text.can"), [...rows, ...items]);
    else this.#say(t("text.nothing_now"));
  }

  #latest(): Part[][] {
    const told = retell(
      this.client.steps.slice(-TOLD).flatMap((step) => step.events),
      this.to,
    );
    return told.slice(-TOLD).map((text) => [{ text }]);
  }

  #tracks(tracks: string[], place: string | undefined, view: ViewWire): void {
    const rows = tracks.map((id) => trackWords(id, view, this.client.offers, this.facts, this.to));
    if (place) this.#list(t("text.at", { place: this.names.place(place) }), rows);
    else for (const row of rows) this.#print("said", row);
  }

  #explain(reading: Extract<Reading, { do: "say" }>): void {
    const params = { ...reading.params };
    if (typeof params.card === "string") params.card = t(params.card);
    if (reading.places) params.others = list(reading.places.map((id) => this.names.place(id)));
    const said = [t(reading.key, params)];
    if (reading.near) said.push(t("text.mean", { word: reading.near }));
    else if (reading.key === "text.unknown") said.push(t("text.try_help"));
    this.#say(said.join(" "));
  }

  #refused(refusal: Pick<Refusal, "clause" | "reason" | "code" | "why"> & { stale?: boolean }): void {
    const words = refusal.stale ? t("text.stale") : refusal.reason === "busy" ? t("text.busy") : why(refusal, this.to);
    this.#print("refused", [{ text: words }], [], refusal.clause);
  }

  #say(text: string): void {
    this.#print("said", [{ text }]);
  }

  #list(title: string, rows: Part[][]): void {
    this.#print("said", [{ text: title }], rows);
  }

  #print(kind: Printed["kind"], parts: Part[], rows: Part[][] = [], clause = ""): void {
    this.printed = [...this.printed, { id: this.#next++, kind, parts, rows, clause }].slice(-KEPT);
  }
}

const marked = (parts: Part[]) =>
  parts.map((part) => (part.kind ? mark(part.kind, part.id ?? "", part.text) : part.text)).join("");
const names = (id: string, of: Names) => (of.tracks.has(id) ? trackName(id, of) : of.any(id));

/** The ways to pay; two tracks alike in everything are one choice. */
function distinct(answers: readonly Answer[], of: Names) {
  const found = new Map<string, { id: string; paid: Answer["payments"][number] }>();
  for (const { about, payments } of answers) {
    const track = of.tracks.get(about);
    const subject = track ? `${track.a} ${track.b} ${track.colour}` : about;
    for (const paid of payments) {
      const key = `${subject} ${paid.cards ? paid.colour : "loco"} ${paid.cards} ${paid.locos}`;
      if (!found.has(key)) found.set(key, { id: about, paid });
    }
  }
  return [...found.values()];
}
