/** All that a replay needs, fetched side by side. */
import { loadBoard } from "../board/load.ts";
import type { BoardArt } from "../board/types.ts";
import { api } from "../lib/api.ts";
import type { MapFacts, ReplayFile, ReplayStep, ScoreWire, TableWire } from "../wire.ts";

export interface Loaded {
  table: TableWire;
  facts: MapFacts;
  art: BoardArt;
  steps: ReplayStep[];
  scores: ScoreWire[];
}

/** `onpart` is called for each of the four parts that has come. */
export async function loadGame(table: TableWire, onpart: () => void): Promise<Loaded> {
  const counted = async <T>(part: Promise<T>): Promise<T> => {
    const value = await part;
    onpart();
    return value;
  };
  const told = api.facts(table.map);
  const [facts, art, steps, scores] = await Promise.all([
    counted(told),
    counted(told.then(loadBoard)),
    counted(api.replay(table.id)),
    counted(api.scores(table.id)),
  ]);
  return { table, facts, art, steps, scores };
}

/** A game file as the service told it; it lives as long as the page. */
let chosen: ReplayFile | null = null;

export async function openFile(file: Blob): Promise<void> {
  chosen = await api.replayFile(file);
}

/** The file that was opened, as a game to look at; null after a reload. */
export async function loadFile(onpart: () => void): Promise<(Loaded & { verdict: string }) | null> {
  if (!chosen) return null;
  const { map, players, steps, scores, verdict } = chosen;
  const facts = await api.facts(map);
  const art = await loadBoard(facts);
  onpart();
  return { table: tableOf(map, players), facts, art, steps, scores, verdict };
}

/** The table a file does not tell of: only its players are known. */
function tableOf(map: string, players: ReplayFile["players"]): TableWire {
  return {
    id: "",
    map,
    state: "over",
    you: null,
    host: false,
    listed: false,
    order: "fixed",
    clock: { kind: "none", pool: 0, increment: 0, days: 0 },
    seats: players.map(({ name, bot }, seat) => ({
      kind: bot ? "bot" : "person",
      name,
      bot,
      you: false,
      connected: false,
      proxied: false,
      clock_out: false,
      blocked: false,
      colour: seat,
      expected: false,
      away: null,
      missed: false,
      nudged: false,
      holiday: false,
    })),
    fixed_deal: false,
    free_chat: false,
    commitment: "",
    spectators: 0,
    created: 0,
    rematch: null,
    takebacks: false,
    paused: false,
    link: "",
    nudged: [],
    meanwhile: null,
    plan: null,
    here: [],
  };
}
