/** The HTTP side of the service. A refusal becomes an `ApiError` with the server's words, in the reader's language. */
import type {
  Block, BlockedWire, BotFact, FairWire, MapFacts, Me, MeChange, NewTable, PromiseWire, ReplayFile, ReplayStep, Report, ScoreWire, SeatChange, StepWire, TableLine, TableWire,
} from "../wire.ts";

import { lang, said } from "../i18n/index.svelte.ts";
import { localised } from "./names.ts";
import { lineShown, tableShown } from "./strangers.ts";

export class ApiError extends Error {
  constructor(readonly status: number, reason: string) {
    super(reason);
  }
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`/api${path}`, {
    method,
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined || body instanceof Blob ? body : JSON.stringify(body),
  });
  if (!response.ok) {
    const told = (await response.json().catch(() => null)) as { reason: string; code?: string; n?: number | null } | null;
    throw new ApiError(response.status, told ? said(told) : response.statusText);
  }
  return (await response.json()) as T;
}

const facts = new Map<string, Promise<MapFacts>>();

export const api = {
  me: () => call<Me>("GET", "/me"),
  changeMe: (change: MeChange) => call<Me>("POST", "/me", change),
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
    const promise = await call<PromiseWire>("GET", "/promise");
    const seed = browserSeed();
    remember(promise.table, promise.commitment, seed);
    return call<TableWire>("POST", "/tables", { ...table, promise: promise.ticket, browser_seed: seed });
  },
  table: async (id: string) => tableShown(await call<TableWire>("GET", `/tables/${id}`)),
  sit: async (id: string): Promise<TableWire> => {
    const { commitment } = await api.table(id);
    const seed = browserSeed();
    remember(id, commitment, seed);
    return call<TableWire>("POST", `/tables/${id}/sit`, { browser_seed: seed });
  },
  leave: (id: string) => call<TableWire>("POST", `/tables/${id}/leave`, {}),
  start: (id: string) => call<TableWire>("POST", `/tables/${id}/start`, {}),
  seat: (id: string, change: SeatChange) => call<TableWire>("POST", `/tables/${id}/seats`, change),
  back: (id: string) => call<TableWire>("POST", `/tables/${id}/back`, {}),
  rematch: async (id: string): Promise<TableWire> => {
    const promise = await call<PromiseWire>("GET", "/promise");
    const seed = browserSeed();
    remember(promise.table, promise.commitment, seed);
    return call<TableWire>("POST", `/tables/${id}/rematch`, { promise: promise.ticket, browser_seed: seed });
  },
  /** The reader's history, from a number on. */
  history: (id: string, from = 0) => call<StepWire[]>("GET", `/tables/${id}/history?from=${from}`),
  scores: (id: string) => call<ScoreWire[]>("GET", `/tables/${id}/scores`),
  replay: (id: string) => call<ReplayStep[]>("GET", `/tables/${id}/replay`),
  /** A game file to look at; it is sent as it is. */
  replayFile: (file: Blob) => call<ReplayFile>("POST", "/replay", file),
  fair: (id: string) => call<FairWire>("GET", `/tables/${id}/fair`),
  report: (id: string, report: Report) => call<{ ok: boolean }>("POST", `/tables/${id}/report`, report),
  block: (id: string, block: Block) => call<TableWire>("POST", `/tables/${id}/block`, block),
  blocks: () => call<BlockedWire[]>("GET", "/me/blocks"),
  unblock: (handle: string) => call<BlockedWire[]>("DELETE", `/me/blocks/${handle}`),
  /** Addresses, not calls. */
  recordUrl: (id: string) => `/api/tables/${id}/record`,
  qrUrl: (id: string) => `/api/tables/${id}/qr.svg`,
};

export interface OwnPart { commitment: string; seed: string }

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
