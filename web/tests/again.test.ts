/** What does not get through: requests, moves and words that are sent again, once each in the end. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { setLang } from "../src/i18n/index.svelte.ts";
import { again } from "../src/lib/again.svelte.ts";
import { api } from "../src/lib/api.ts";
import { TableClient } from "../src/lib/client.svelte.ts";
import { go, route } from "../src/lib/route.svelte.ts";

interface Sent {
  path: string;
  key: string | null;
  body: unknown;
}
type Reply = { status: number; body?: object } | "lost";
let sent: Sent[] = [];
let replies: Reply[] = [];
const UNWRITTEN: Reply = { status: 503, body: { reason: "nothing was changed", code: "cannot_write" } };
const OK: Reply = { status: 200, body: { ok: true } };

beforeEach(async () => {
  await setLang("en", false);
  vi.useFakeTimers();
  sent = [];
  replies = [];
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
    if (path === "/healthz") return new Response("{}"); // whether it is there at all: lib/reach.svelte.ts
    sent.push({
      path,
      key: new Headers(init?.headers).get("idempotency-key"),
      body: init?.body ? JSON.parse(String(init.body)) : null,
    });
    const reply = replies.shift() ?? OK;
    if (reply === "lost") throw new TypeError("Failed to fetch");
    return new Response(JSON.stringify(reply.body ?? {}), { status: reply.status });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const REPORT = { seat: 1, reason: "chat", text: "" } as const;
const keys = () => new Set(sent.map((one) => one.key));

describe("a changing request", () => {
  it("has a key of its own for every press", async () => {
    await api.report("t", REPORT);
    await api.report("t", REPORT);
    expect(keys().size).toBe(2);
    expect(sent.every((one) => /^[\da-f]{24}$/.test(one.key!))).toBe(true);
  });

  it("is sent again with the same key after a 503, a lost line or a dead process, and says nothing if that is quick", async () => {
    replies = [UNWRITTEN, "lost"];
    const done = api.report("t", REPORT);
    await vi.advanceTimersByTimeAsync(999);
    expect(again.trying).toBe(0);
    await vi.runAllTimersAsync();
    expect(await done).toEqual({ ok: true });
    expect(sent).toHaveLength(3);
    expect(keys().size).toBe(1);
    expect(sent[2]!.body).toEqual(sent[0]!.body);
    expect(again.trying).toBe(0);
  });

  it("says after a second that it still tries, asks at last, and goes on with the same key", async () => {
    replies = Array<Reply>(6).fill(UNWRITTEN);
    const done = api.report("t", REPORT);
    await vi.advanceTimersByTimeAsync(1500);
    expect(again.trying).toBe(1);
    await vi.runAllTimersAsync();
    expect(sent).toHaveLength(6);
    expect(again.trying).toBe(0);
    expect(again.questions).toHaveLength(1);
    expect(again.questions[0]!.reason).toBe("nothing was changed: the server cannot write at the moment; try again");
    again.questions[0]!.retry();
    expect(await done).toEqual({ ok: true });
    expect(again.questions).toEqual([]);
    expect(keys().size).toBe(1);
  });

  it("fails when the visitor leaves it", async () => {
    replies = Array<Reply>(6).fill("lost");
    const done = api.report("t", REPORT).catch((error: Error) => error.message);
    await vi.runAllTimersAsync();
    again.questions[0]!.stop();
    expect(await done).toBe("the service cannot be reached");
    expect(again.questions).toEqual([]);
  });

  it("is not sent again when it is refused for good", async () => {
    replies = [{ status: 409, body: { reason: "x", code: "full" } }];
    await expect(api.report("t", REPORT)).rejects.toMatchObject({ status: 409, code: "full", told: "x" });
    expect(sent).toHaveLength(1);
  });

  it("makes one table of one promise, however often it is sent", async () => {
    replies = [{ status: 200, body: { table: "T", commitment: "c", ticket: "p" } }, UNWRITTEN];
    const made = api.create({ map: "usa", seats: [] });
    await vi.runAllTimersAsync();
    await made;
    expect(sent.map((one) => one.path)).toEqual(["/api/promise", "/api/tables", "/api/tables"]);
    expect(sent[2]).toEqual(sent[1]);
  });
});

class Socket {
  static readonly OPEN = 1;
  static all: Socket[] = [];
  readyState = 1;
  told: { t: string; cid?: string }[] = [];
  onmessage: (event: { data: string }) => void = () => {};
  onclose: (event: { code: number }) => void = () => {};
  constructor() {
    Socket.all.push(this);
  }
  send(text: string) {
    const message = JSON.parse(text) as { t: string };
    if (message.t !== "ping" && message.t !== "looks") this.told.push(message);
  }
  close() {}
  say(message: object) {
    this.onmessage({ data: JSON.stringify(message) });
  }
}
const line = () => Socket.all.at(-1)!;
const hello = () => line().say({ t: "hello", table: { seats: [] }, server: "", chat: [] });
const update = (since: number, seq: number, steps: object[] = []) =>
  line().say({ t: "update", since, seq, asked: seq, view: {}, offers: [], undo: false, clock: null, steps });
const step = (seq: number) => ({ seq, seat: 0, by: "player", events: [] });

describe("a table, live", () => {
  let client: TableClient;
  beforeEach(() => {
    Socket.all = [];
    vi.stubGlobal("WebSocket", Socket);
    client = new TableClient("T");
    client.open();
    hello();
  });
  afterEach(() => client.close());
  const refuse = (code: string) =>
    line().say({ t: "refused", cid: line().told.at(-1)!.cid, clause: "", reason: "r", stale: false, code });

  it.each(["uncertain", "move_unwritten"])(
    "a move refused as %s is sent again by itself, the same one",
    async (code) => {
      const done = client.move(["pass"]);
      refuse(code);
      expect(client.busy).toBe(true);
      await vi.advanceTimersByTimeAsync(1000);
      const [first, second] = line().told;
      expect(second).toEqual(first);
      line().say({ t: "ack", cid: first!.cid, seq: 0 });
      expect(await done).toBeNull();
      expect(client.busy).toBe(false);
    },
  );

  it("a move that stays unwritten is given up after some tries, and the page says so meanwhile", async () => {
    const done = client.move(["pass"]);
    for (let i = 0; i < 6; i++) {
      refuse("move_unwritten");
      await vi.advanceTimersByTimeAsync(1000);
      if (i === 2) expect(again.trying).toBe(1);
      await vi.advanceTimersByTimeAsync(5000);
    }
    expect(await done).toMatchObject({ code: "move_unwritten" });
    expect(line().told).toHaveLength(6);
    expect(again.trying).toBe(0);
  });

  it("advice is asked for once after several updates, and taken only for the position that is shown", async () => {
    const seen = (seq: number, phase = "turn") =>
      line().say({ t: "update", since: seq - 1, seq, asked: seq, view: { reader: 0, phase }, offers: [], steps: [] });
    const advice = (seq: number) => line().say({ t: "advice", seq, paths: {} });
    for (const seq of [1, 2, 3]) seen(seq);
    await vi.advanceTimersByTimeAsync(100);
    expect(line().told).toEqual([{ t: "advise" }]);
    advice(2);
    expect(client.advice).toBeNull();
    advice(3);
    expect(client.advice?.seq).toBe(3);
    seen(4);
    expect(client.advice?.seq).toBe(3); // until there is better
    seen(5, "over");
    await vi.advanceTimersByTimeAsync(100);
    expect(line().told).toHaveLength(1);
    client.look(1); // somebody else's eyes
    expect(client.advice).toBeNull();
  });

  it("a move refused by a rule is not sent again", async () => {
    const done = client.move(["pass"]);
    refuse("");
    expect(await done).toMatchObject({ reason: "r" });
    await vi.advanceTimersByTimeAsync(9000);
    expect(line().told).toHaveLength(1);
  });

  it("a word that could not be written is said again under its own id, and then no more", async () => {
    client.say("hello");
    line().say({ t: "trouble", reason: "r", code: "cannot_write", n: null });
    await vi.advanceTimersByTimeAsync(1000);
    const [first, second] = line().told;
    expect(first!.cid).toMatch(/^[\da-f]{24}$/);
    expect(second).toEqual(first);
    expect(client.trouble).toBe("");
    line().say({ t: "trouble", reason: "r", code: "chat_slow", n: null });
    expect(client.trouble).toBe("a little slower, please");
    await vi.advanceTimersByTimeAsync(9000);
    expect(line().told).toHaveLength(2);
  });

  it("a word into a dead line is heard when the line is back", async () => {
    line().readyState = 3;
    client.say("hello");
    line().onclose({ code: 1006 });
    await vi.advanceTimersByTimeAsync(400);
    hello();
    expect(line().told.map((one) => one.t)).toEqual(["say"]);
  });

  it.each([1012, 4408])("comes back at once after %i, and then no faster than after any other", async (code) => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    line().onclose({ code });
    await vi.advanceTimersByTimeAsync(0);
    expect(Socket.all).toHaveLength(2);
    line().onclose({ code });
    await vi.advanceTimersByTimeAsync(299);
    expect(Socket.all).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(Socket.all).toHaveLength(3);
  });

  it("asks for the history when an update does not begin where it stood", async () => {
    replies = [{ status: 200, body: [step(0)] }];
    update(0, 0);
    await vi.advanceTimersByTimeAsync(0);
    update(0, 1, [step(1)]);
    line().say({ t: "table", table: { seats: [] } }); // its process has changed
    replies = ["lost", { status: 200, body: [0, 1, 2, 3].map(step) }];
    update(3, 3);
    await vi.runOnlyPendingTimersAsync();
    await vi.advanceTimersByTimeAsync(1000);
    expect(client.steps.map((one) => one.seq)).toEqual([0, 1, 2, 3]);
    expect(client.fresh.map((one) => one.seq)).toEqual([2, 3]);
    update(3, 3); // told again, nothing was missed
    update(3, 4, [step(4)]);
    expect(client.steps.map((one) => one.seq)).toEqual([0, 1, 2, 3, 4]);
    expect(sent).toHaveLength(3);
  });

  it("does not lose what happens while the history is on its way", async () => {
    replies = [
      { status: 200, body: [step(0)] },
      { status: 200, body: [step(0), step(1)] },
    ];
    update(0, 0);
    update(0, 1, [step(1)]);
    await vi.advanceTimersByTimeAsync(10);
    expect(client.steps.map((one) => one.seq)).toEqual([0, 1]);
  });

  it("says of a game that was put aside why, and does not come back", async () => {
    replies = [
      {
        status: 409,
        body: {
          reason: "this game was put aside, for it cannot be played on: the map “x” is gone: sorry",
          code: "put_aside",
        },
      },
    ];
    line().onclose({ code: 4409 });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(client.aside).toBe("the map “x” is gone: sorry");
    expect(Socket.all).toHaveLength(1);
  });
});

it("an address that is cut short in the middle of a letter is an address", () => {
  go("/t/%E0%A4%A");
  expect(route.parts).toEqual(["t", "%E0%A4%A"]);
  go("/t/%C3%A9");
  expect(route.parts).toEqual(["t", "é"]);
});
