/** The HTTP side of the service. A refusal becomes an `ApiError` with the server's words, in the reader's language. */
import type {
  Block,
  BlockedWire,
  BotFact,
  Calls,
  CallSettings,
  Carry,
  CarryFound,
  CarryHere,
  ColourChoice,
  FairWire,
  MapFacts,
  Me,
  MeChange,
  NewDevice,
  NewTable,
  PlanRequest,
  PromiseWire,
  Reach,
  RemovePlayer,
  ReplayFile,
  ReplayStep,
  Report,
  ReviewProgress,
  ReviewWire,
  ScoreWire,
  SeatChange,
  StepWire,
  TableLine,
  TableWire,
} from "../wire.ts";

import { lang, said, t } from "../i18n/index.svelte.ts";
import { again, newKey } from "./again.svelte.ts";
import { localised } from "./names.ts";
import { reach } from "./reach.svelte.ts";
import { lineShown, tableShown } from "./strangers.ts";

/** `code` is the server's key for the refusal, `told` its own words; status 0: it could not be reached. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    reason: string,
    readonly code = "",
    readonly told = "",
  ) {
    super(reason);
  }
}

const LONGEST_WAIT = 20_000; // milliseconds for an answer

async function call<T>(method: string, path: string, body?: unknown, key?: string): Promise<T> {
  const response = await fetch(`/api${path}`, {
    method,
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(key && { "idempotency-key": key }),
    },
    body: body === undefined || body instanceof Blob ? body : JSON.stringify(body),
    signal: key ? AbortSignal.timeout(LONGEST_WAIT) : undefined,
  }).catch(() => {
    void reach.missed();
    throw new ApiError(0, t("shell.again.unreachable"));
  });
  if (!response.ok) {
    const told = (await response.json().catch(() => null)) as {
      reason: string;
      code?: string;
      n?: number | null;
    } | null;
    throw new ApiError(response.status, told ? said(told) : response.statusText, told?.code, told?.reason);
  }
  return (await response.json()) as T;
}

/** The service was not there, or could not write at the moment: the same again may well succeed. */
const passes = (error: unknown): boolean => error instanceof ApiError && [0, 502, 503, 504].includes(error.status);

/** Asks for something that an intention needs, until it is there. */
const need = <T>(path: string): Promise<T> => again.insist(() => call<T>("GET", path), passes);

/** Changes something: one key for one intention, so that what is sent again is done once. */
function alter<T>(method: "POST" | "DELETE", path: string, body?: unknown): Promise<T> {
  const key = newKey();
  return again.insist(() => call<T>(method, path, body, key), passes);
}

const facts = new Map<string, Promise<MapFacts>>();

export const api = {
  me: () => call<Me>("GET", "/me"),
  changeMe: (change: MeChange) => alter<Me>("POST", "/me", change),
  maps: () => call<string[]>("GET", "/maps"),
  facts: (map: string): Promise<MapFacts> => {
    const key = `${map} ${lang.code}`;
    if (!facts.has(key)) facts.set(key, call<MapFacts>("GET", `/maps/${map}`).then(localised));
    return facts.get(key)!;
  },
  bots: () => call<BotFact[]>("GET", "/bots"),
  lobby: async () => (await call<TableLine[]>("GET", "/tables")).map(lineShown),
  mine: async () => (await call<TableLine[]>("GET", "/me/tables")).map(lineShown),
  /** Make a table: the server binds itself to its half of the deal before this browser adds its own. */
  create: async (table: NewTable): Promise<TableWire> => {
    const promise = await need<PromiseWire>("/promise");
    const seed = browserSeed();
    remember(promise.table, promise.commitment, seed);
    return alter<TableWire>("POST", "/tables", { ...table, promise: promise.ticket, browser_seed: seed });
  },
  table: async (id: string) => tableShown(await call<TableWire>("GET", `/tables/${id}`)),
  sit: async (id: string): Promise<TableWire> => {
    const { commitment } = await need<TableWire>(`/tables/${id}`);
    const seed = browserSeed();
    remember(id, commitment, seed);
    return alter<TableWire>("POST", `/tables/${id}/sit`, { browser_seed: seed });
  },
  leave: (id: string) => alter<TableWire>("POST", `/tables/${id}/leave`, {}),
  start: (id: string) => alter<TableWire>("POST", `/tables/${id}/start`, {}),
  seat: (id: string, change: SeatChange) => alter<TableWire>("POST", `/tables/${id}/seats`, change),
  /** The colour of my pieces, before the game. */
  colour: (id: string, colour: number) =>
    alter<TableWire>("POST", `/tables/${id}/colour`, { colour } satisfies ColourChoice),
  /** Ask the person on a chair to leave, before the game. */
  remove: (id: string, chair: number) =>
    alter<TableWire>("POST", `/tables/${id}/remove`, { chair } satisfies RemovePlayer),
  /** What to play at my next turns; without a turn: nothing. */
  plan: async (id: string, turns: PlanRequest["turns"]) =>
    tableShown(await alter<TableWire>("POST", `/tables/${id}/plan`, { turns } satisfies PlanRequest)),
  back: (id: string) => alter<TableWire>("POST", `/tables/${id}/back`, {}),
  rematch: async (id: string): Promise<TableWire> => {
    const promise = await need<PromiseWire>("/promise");
    const seed = browserSeed();
    remember(promise.table, promise.commitment, seed);
    return alter<TableWire>("POST", `/tables/${id}/rematch`, { promise: promise.ticket, browser_seed: seed });
  },
  /** The reader's history, from a number on. */
  history: (id: string, from = 0, seat: number | null = null) =>
    call<StepWire[]>("GET", `/tables/${id}/history?from=${from}${seat === null ? "" : `&seat=${seat}`}`),
  scores: (id: string) => call<ScoreWire[]>("GET", `/tables/${id}/scores`),
  /** How far the review of a finished game is; asking begins it. */
  reviewProgress: (id: string) => call<ReviewProgress>("GET", `/tables/${id}/review`),
  askReview: (id: string) => alter<ReviewProgress>("POST", `/tables/${id}/review`, {}),
  review: (id: string) => call<ReviewWire>("GET", `/tables/${id}/review/told`),
  replay: (id: string) => call<ReplayStep[]>("GET", `/tables/${id}/replay`),
  /** A game file to look at; it is sent as it is. */
  replayFile: (file: Blob) => call<ReplayFile>("POST", "/replay", file),
  fair: (id: string) => call<FairWire>("GET", `/tables/${id}/fair`),
  report: (id: string, report: Report) => alter<{ ok: boolean }>("POST", `/tables/${id}/report`, report),
  block: (id: string, block: Block) => alter<TableWire>("POST", `/tables/${id}/block`, block),
  /** Words and a link by which another device becomes this guest. */
  makeCarry: () => alter<Carry>("POST", "/me/carry", {}),
  /** Whom this device would become by them. */
  lookAtCarry: (secret: string) => alter<CarryFound>("POST", "/carry/look", { secret } satisfies CarryHere),
  carry: (secret: string) => alter<Me>("POST", "/carry", { secret } satisfies CarryHere),
  /** What links for others begin with. */
  reach: () => call<Reach>("GET", "/reach"),
  blocks: () => call<BlockedWire[]>("GET", "/me/blocks"),
  unblock: (handle: string) => alter<BlockedWire[]>("DELETE", `/me/blocks/${handle}`),
  calls: () => call<Calls>("GET", "/me/calls"),
  changeCalls: (settings: CallSettings) => alter<Calls>("POST", "/me/calls", settings),
  addDevice: (device: NewDevice) => alter<Calls>("POST", "/me/devices", device),
  dropDevice: (id: string) => alter<Calls>("DELETE", `/me/devices/${id}`),
  /** Each question is a mail: it is not asked again by itself. */
  askMail: (address: string) => call<Calls>("POST", "/me/mail", { address }),
  dropMail: () => alter<Calls>("DELETE", "/me/mail"),
  /** Addresses, not calls. */
  recordUrl: (id: string) => `/api/tables/${id}/record`,
  qrUrl: (id: string) => `/api/tables/${id}/qr.svg`,
};

export interface OwnPart {
  commitment: string;
  seed: string;
}

/** What this browser saw and gave before the game, to be compared with what the server says afterwards. */
export function ownPart(table: string): OwnPart | null {
  const text = localStorage.getItem(`deal:${table}`);
  return text ? (JSON.parse(text) as OwnPart) : null;
}

function remember(table: string, commitment: string, seed: string): void {
  const old = Object.keys(localStorage).filter((key) => key.startsWith("deal:"));
  if (old.length > 200) for (const key of old.slice(0, 100)) localStorage.removeItem(key);
  localStorage.setItem(`deal:${table}`, JSON.stringify({ commitment, seed } satisfies OwnPart));
}

/** This browser's part of the deal. */
function browserSeed(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");
}
