/**
 * One table, live: what the server last said, and the few things a player can say back. Holds no rule.
 * The socket comes back by itself; a move that was not acknowledged is sent again with the same client id.
 */
import type {
  Advice,
  Answer,
  ChatWire,
  ClockWire,
  FromServer,
  ScoreWire,
  StepWire,
  TableWire,
  ToServer,
  ViewWire,
  Vote,
  WhyWire,
} from "../wire.ts";
import { said } from "../i18n/index.svelte.ts";
import { again, newKey, pauseAfter } from "./again.svelte.ts";
import { api, ApiError } from "./api.ts";
import { tableShown } from "./strangers.ts";

export type Link = "connecting" | "live" | "lost";
export interface Refusal {
  clause: string;
  reason: string;
  stale: boolean;
  code?: string;
  why?: WhyWire | null;
}

const NO_TABLE = 4404;
const PUT_ASIDE = 4409;
const COME_BACK = [1012, 4408]; // the service is there: another process of it, or this one after a pause of ours
const AT_ONCE = 500; // milliseconds over which those who come back at once are scattered
const ADVICE_AFTER = 40; // milliseconds after an update: of several at once only the last is asked about
const WORD_LASTS = 30_000; // milliseconds: what was said longer ago is not sent again
/** The server could not write, or does not know whether it did: the same again may well succeed. */
const PASSING = new Set(["uncertain", "move_unwritten", "cannot_write"]);

type Waiting = { message: ToServer & { cid: string }; tries: number; settle: (refusal: Refusal | null) => void };
/** What was said a moment ago. Nobody acknowledges it, so it is kept for a while. */
type Word = { message: ToServer; tries: number };

export class TableClient {
  table = $state.raw<TableWire | null>(null);
  view = $state.raw<ViewWire | null>(null);
  offers = $state.raw<string[]>([]);
  undo = $state(false);
  clock = $state.raw<ClockWire | null>(null);
  clockRead = 0; // performance.now() when the clock was read
  steps = $state.raw<StepWire[]>([]); // the whole history as this reader may know it
  fresh = $state.raw<StepWire[]>([]); // the steps of the latest update
  chat = $state.raw<ChatWire[]>([]);
  scores = $state.raw<ScoreWire[] | null>(null);
  advice = $state.raw<Advice | null>(null); // what my tickets take; that of the position before until the new one comes
  votes = $state.raw<Vote[]>([]);
  tableRead = $state(0); // performance.now() when the table was told
  link = $state<Link>("connecting");
  trouble = $state("");
  missing = $state(false); // there is no such table
  aside = $state<string | null>(null); // why this game was put aside, if it was
  busy = $state(false); // a move is on its way
  through = $state<number | null>(null); // where several people share this device: the seat of who looks now
  seq = -1;
  asked = $state(0);

  #socket: WebSocket | null = null;
  #waiting: Waiting | null = null;
  #words = new Map<string, Word>();
  #questions = new Map<string, { message: ToServer; settle: (answer: Answer) => void }>();
  #listeners = new Set<(steps: StepWire[]) => void>();
  #tries = 0;
  #closed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #advising: ReturnType<typeof setTimeout> | undefined;
  #pulse: ReturnType<typeof setInterval> | undefined;
  #heard = 0;
  #pinged = 0; // when a ping was sent whose pong has not come, or 0
  #lag = 0; // seconds that a message takes, smoothed
  #calm = () => {}; // no more word about a move that is sent again

  constructor(readonly id: string) {}

  get me(): number | null {
    return this.view?.reader ?? null;
  }

  get myTurn(): boolean {
    return this.offers.length > 0;
  }

  open(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const seat = this.through === null ? "" : `?seat=${this.through}`;
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${encodeURIComponent(this.id)}/live${seat}`);
    this.#socket = socket;
    document.addEventListener("visibilitychange", this.#look);
    socket.onmessage = (event) => this.#hear(JSON.parse(event.data as string) as FromServer);
    socket.onclose = (event) => this.#lost(event);
    clearInterval(this.#pulse);
    this.#heard = performance.now();
    this.#pulse = setInterval(() => this.#beat(), 10_000);
  }

  /** Who does not see the page is called back, where they want to be. */
  #look = () => {
    this.#send({ t: "looks", visible: !document.hidden });
    if (this.advice?.seq !== this.seq) this.#advise();
  };

  close(): void {
    document.removeEventListener("visibilitychange", this.#look);
    this.#closed = true;
    this.#calm();
    clearTimeout(this.#timer);
    clearTimeout(this.#advising);
    clearInterval(this.#pulse);
    this.#socket?.close();
  }

  /** Look through another seat of this device, or (null) through none: whatever was seen before is forgotten here. */
  look(seat: number | null): void {
    this.through = seat;
    this.view = null;
    this.offers = [];
    this.steps = [];
    this.fresh = [];
    this.undo = false;
    this.votes = [];
    this.advice = null;
    this.seq = -1;
    this.#questions.clear();
    clearTimeout(this.#timer);
    const before = this.#socket;
    if (before) {
      before.onmessage = before.onclose = null;
      before.close();
    }
    this.open();
  }

  /** Play these lines, all or none. Settles when the server has them for good, or says why not. */
  move(lines: string[]): Promise<Refusal | null> {
    return this.#act({ t: "move", seq: this.asked, cid: newKey(), lines, lag: this.#lag });
  }

  takeUndo(): Promise<Refusal | null> {
    return this.#act({ t: "undo", seq: this.asked, cid: newKey() });
  }

  /** What would this track, or what can be built in this place, cost me now? */
  ask(about: string): Promise<Answer> {
    const cid = newKey();
    return new Promise((resolve) => {
      const message: ToServer = { t: "ask", cid, about };
      this.#questions.set(cid, { message, settle: resolve });
      this.#send(message);
    });
  }

  say(phrase: string | null, text: string | null = null): void {
    this.#speak({ t: "say", phrase, text });
  }

  takeBack(agree: boolean | null = null): void {
    this.#speak({ t: "takeback", agree });
  }

  /** Ask for a pause of the clocks, or answer who asks. */
  pause(agree: boolean | null = null): void {
    this.#speak({ t: "pause", agree });
  }

  resume(): void {
    this.#speak({ t: "pause", resume: true });
  }

  /** Ask that a bot plays for who is away, or answer who asks. */
  voteForBot(seat: number, agree: boolean | null = null): void {
    this.#speak({ t: "bot", seat, agree });
  }

  nudge(seat: number): void {
    this.#speak({ t: "nudge", seat });
  }

  /** Seconds for which the owner of a seat has been away, or null if they are here. */
  away(seat: number): number | null {
    const told = this.table?.seats[seat]?.away ?? null;
    return told === null ? null : told + (performance.now() - this.tableRead) / 1000;
  }

  /** Hear of new steps as they happen (animations, sounds, live region). Returns how to stop. */
  onSteps(listener: (steps: StepWire[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Seconds a seat has left now, or null without a clock. */
  left(seat: number): number | null {
    if (!this.clock) return null;
    const left = this.clock.left[seat];
    if (left === undefined) return null;
    const gone = this.clock.running.includes(seat) ? (performance.now() - this.clockRead) / 1000 : 0;
    return Math.max(0, left - gone);
  }

  #act(message: ToServer & { cid: string }): Promise<Refusal | null> {
    if (this.#waiting) return Promise.resolve({ clause: "", reason: "busy", stale: false });
    this.busy = true;
    return new Promise((resolve) => {
      this.#waiting = {
        message,
        tries: 0,
        settle: (refusal) => {
          this.#waiting = null;
          this.busy = false;
          this.#calm();
          resolve(refusal);
        },
      };
      this.#send(message);
    });
  }

  /** A move was refused: where that may pass, the same move again in a moment. */
  #refused(refusal: Refusal): void {
    const waiting = this.#waiting!;
    if (!this.#later(waiting, refusal.code, () => this.#waiting === waiting)) waiting.settle(refusal);
  }

  /** Say something that nobody acknowledges. */
  #speak(message: Extract<ToServer, { t: "say" | "takeback" | "pause" | "bot" | "nudge" }>): void {
    const cid = newKey();
    const word = { message: { ...message, cid }, tries: 0 };
    this.#words.set(cid, word);
    setTimeout(() => this.#words.delete(cid), WORD_LASTS);
    this.#send(word.message);
  }

  /** Something could not be done; if it is a word of a moment ago that may yet be, it is said again. */
  #troubled(message: Extract<FromServer, { t: "trouble" }>): void {
    if (message.code === "no_game" && this.view?.phase === "over") return; // asked while the last move was made
    const words = [...this.#words].map(([cid, word]) => this.#later(word, message.code, () => this.#words.has(cid)));
    if (words.includes(true)) return;
    this.#words.clear();
    this.trouble = said(message);
  }

  /** Send it again after a pause, if it may pass and was not tried often enough; else false. */
  #later(what: { message: ToServer; tries: number }, code: string | undefined, still: () => boolean): boolean {
    const pause = PASSING.has(code ?? "") ? pauseAfter(what.tries++) : null;
    if (pause === null) return false;
    if (what === this.#waiting && what.tries === 1) this.#calm = again.begin();
    setTimeout(() => still() && this.#send(what.message), pause);
    return true;
  }

  #send(message: ToServer): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #hear(message: FromServer): void {
    this.#heard = performance.now();
    switch (message.t) {
      case "hello":
        this.link = "live";
        this.#tries = 0;
        this.#show(message.table);
        this.votes = []; // those that are open are told again
        this.chat = message.chat;
        if (this.#waiting) this.#send(this.#waiting.message);
        for (const word of this.#words.values()) this.#send(word.message);
        for (const { message: question } of this.#questions.values()) this.#send(question);
        this.#look();
        this.#pinged = 0;
        this.#ping();
        break;
      case "table":
        this.#show(message.table);
        break;
      case "update":
        this.#update(message);
        break;
      case "ack":
        if (this.#waiting?.message.cid === message.cid) this.#waiting.settle(null);
        break;
      case "refused":
        if (this.#waiting?.message.cid === message.cid) this.#refused(message);
        break;
      case "answer":
        this.#questions.get(message.cid)?.settle(message);
        this.#questions.delete(message.cid);
        break;
      case "advice":
        if (message.seq === this.seq) this.advice = message;
        break;
      case "chat":
        this.chat = [...this.chat, message.chat];
        break;
      case "finale":
        this.scores = message.scores;
        break;
      case "vote":
        this.votes = [...this.votes.filter((vote) => vote.kind !== message.kind), ...(message.open ? [message] : [])];
        break;
      case "pong":
        this.#measure();
        break;
      case "trouble":
        this.#troubled(message);
        break;
    }
  }

  #show(table: TableWire): void {
    this.table = tableShown(table);
    this.tableRead = performance.now();
  }

  #update(message: Extract<FromServer, { t: "update" }>): void {
    const known = this.seq;
    this.seq = message.seq;
    this.asked = message.asked;
    this.view = message.view;
    this.offers = message.offers;
    this.undo = message.undo;
    this.clock = message.clock;
    this.clockRead = performance.now();
    this.#advise();
    if (known >= 0 && message.since === known) {
      this.#add(message.steps);
    } else {
      void this.#catchUp();
    }
  }

  /** Ask what my tickets take now, if I play and somebody looks. */
  #advise(): void {
    clearTimeout(this.#advising);
    if (this.me === null || this.view!.phase === "over" || document.hidden) return;
    this.#advising = setTimeout(() => this.#send({ t: "advise" }), ADVICE_AFTER);
  }

  #add(steps: StepWire[]): void {
    if (!steps.length) return;
    this.steps = [...this.steps, ...steps];
    this.fresh = steps;
    for (const listener of this.#listeners) listener(steps);
  }

  /** The history again, whole: after the first update, a gap, or a take-back. What came meanwhile is in it too. */
  async #catchUp(): Promise<void> {
    for (let tries = 0; !this.#closed;) {
      const [seq, through] = [this.seq, this.through];
      const steps = await api.history(this.id, 0, through).catch(() => null);
      if (this.through !== through) return; // somebody else looks now, and has asked anew
      if (steps && this.seq === seq) return this.#know(steps);
      const pause = steps ? 0 : pauseAfter(tries++);
      if (pause === null) return;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  #know(steps: StepWire[]): void {
    const before = this.steps.at(-1)?.seq ?? -1;
    this.steps = steps;
    const news = before < 0 ? [] : steps.filter((step) => step.seq > before);
    if (news.length) {
      this.fresh = news;
      for (const listener of this.#listeners) listener(news);
    }
  }

  #beat(): void {
    if (performance.now() - this.#heard > 25_000) this.#socket?.close();
    else this.#ping();
  }

  #ping(): void {
    this.#pinged ||= performance.now();
    this.#send({ t: "ping" });
  }

  #measure(): void {
    if (!this.#pinged) return;
    const half = (performance.now() - this.#pinged) / 2000;
    this.#lag = this.#lag ? 0.7 * this.#lag + 0.3 * half : half;
    this.#pinged = 0;
  }

  #lost(event: CloseEvent): void {
    if (this.#closed) return;
    if (event.code === NO_TABLE) this.missing = true;
    else if (event.code === PUT_ASIDE) void this.#askWhy();
    else this.#comeBack(event.code);
  }

  #comeBack(code: number): void {
    this.link = "lost";
    // 0.3 s, 0.6 s, … at most 8 s, scattered, so that a restarted server is not stormed.
    const backoff = Math.min(8000, 300 * 2 ** this.#tries) * (0.5 + Math.random() / 2);
    const wait = COME_BACK.includes(code) && !this.#tries ? AT_ONCE * Math.random() : backoff;
    this.#tries++;
    this.#timer = setTimeout(() => this.open(), wait);
  }

  /** The reason stands behind the first colon of what the service says. */
  async #askWhy(): Promise<void> {
    this.aside = "";
    const told = await api.table(this.id).then(
      () => "",
      (error: unknown) => (error instanceof ApiError ? error.told : ""),
    );
    this.aside = told.slice(told.indexOf(": ") + 1).trim();
  }
}
