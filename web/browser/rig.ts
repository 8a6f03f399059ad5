/** A position made by hand: a chosen deal, and the moves of everybody sent through the service as lines. */
import { randomUUID } from "node:crypto";
import type { NewTable, TableWire, Update } from "../src/wire.ts";
import { ask, ME, OPEN, type Page } from "./base.ts";

const at = (path: string) => new URL(`/api${path}`, process.env.BRANCHLINE_URL).href;

/** Somebody at the table, as a program sees it: what was told last, and moves. */
class Hand {
  told: Update | null = null;
  #closed = new AbortController();
  #heard: () => void = () => {};

  constructor(
    readonly table: string,
    readonly headers: Record<string, string>,
  ) {}

  async listen(): Promise<void> {
    const reply = await fetch(at(`/tables/${this.table}/stream`), {
      headers: this.headers,
      signal: this.#closed.signal,
    });
    void this.#read(reply.body!).catch(() => {});
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const [words, rest] = [new TextDecoder(), { text: "" }];
    for await (const part of body as unknown as AsyncIterable<Uint8Array>) {
      const lines = (rest.text + words.decode(part, { stream: true })).split("\n");
      rest.text = lines.pop()!;
      for (const line of lines.filter(Boolean)) {
        const message = JSON.parse(line) as Update;
        if (message.t === "update") this.told = message;
        this.#heard();
      }
    }
  }

  /** What is told when it holds. */
  async when(holds: (told: Update) => boolean, what: string, patience = 10_000): Promise<Update> {
    while (!this.told || !holds(this.told)) {
      const late = new Promise<never>((_, no) =>
        setTimeout(() => no(new Error(`it never came: ${what}`)), patience).unref(),
      );
      await Promise.race([new Promise<void>((yes) => (this.#heard = yes)), late]);
    }
    return this.told;
  }

  /** Plays a line as soon as it is on offer. */
  async play(line: string): Promise<void> {
    const seq = (await this.when(({ offers }) => offers.includes(line), line)).asked;
    this.told = null;
    const body = JSON.stringify({ seq, cid: randomUUID(), lines: [line] });
    const reply = await fetch(at(`/tables/${this.table}/moves`), {
      method: "POST",
      body,
      headers: { ...this.headers, "content-type": "application/json" },
    });
    if (!reply.ok) throw new Error(`${line}: ${reply.status} ${await reply.text()}`);
  }

  close(): void {
    this.#closed.abort();
  }
}

async function post(path: string, headers: Record<string, string>, body: unknown = {}): Promise<void> {
  const reply = await fetch(at(path), {
    method: "POST",
    body: JSON.stringify(body),
    headers: { ...headers, "content-type": "application/json" },
  });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
}

async function ownHand(page: Page, table: string): Promise<Hand> {
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  return new Hand(table, { cookie, origin: new URL(at("/")).origin });
}

/** Seats the page's guest first among others who play by themselves, plays for the guest while `choose` names a line, and goes there. */
export async function playedOn(
  page: Page,
  wish: Partial<NewTable> & { map: string },
  choose: (told: Update) => string | null,
): Promise<TableWire> {
  await ask(page, "/me");
  const table = await ask<TableWire>(page, "/tables", { order: "fixed", start: true, ...wish });
  const me = await ownHand(page, table.id);
  await me.listen();
  for (;;) {
    const line = choose(
      await me.when(({ offers, view }) => offers.length > 0 || view.phase === "over", "a turn", 60_000),
    );
    if (line === null) break;
    await me.play(line);
  }
  me.close();
  await page.goto(`/t/${table.id}`);
  return table;
}

/** Sits the page's guest and a friend at a table with this deal, plays the lines, "seat line" each, and goes there. */
export async function rigged(page: Page, map: string, seed: number, script: string): Promise<TableWire> {
  await ask(page, "/me");
  const wish: NewTable = { map, seats: [ME, OPEN], order: "fixed", seed };
  const table = await ask<TableWire>(page, "/tables", wish);
  const { token } = (await (await fetch(at("/me"))).json()) as { token: string };
  const friend = new Hand(table.id, { authorization: `Bearer ${token}` });
  const me = await ownHand(page, table.id);
  await post(`/tables/${table.id}/sit`, friend.headers);
  await post(`/tables/${table.id}/start`, me.headers);
  await Promise.all([me.listen(), friend.listen()]);
  for (const move of script
    .trim()
    .split("\n")
    .map((line) => line.trim())) {
    await [me, friend][Number(move[0])]!.play(move.slice(2));
  }
  me.close();
  friend.close();
  await page.goto(`/t/${table.id}`);
  return table;
}
