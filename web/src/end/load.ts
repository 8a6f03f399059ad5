/** All that a replay needs, fetched side by side. */
import type { BoardArt } from "../board/types.ts";
import { api } from "../lib/api.ts";
import type { MapFacts, ReplayStep, ScoreWire, TableWire } from "../wire.ts";

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
  const [facts, art, steps, scores] = await Promise.all([
    counted(api.facts(table.map)),
    counted(drawing(table.map)),
    counted(api.replay(table.id)),
    counted(api.scores(table.id)),
  ]);
  return { table, facts, art, steps, scores };
}

async function drawing(map: string): Promise<BoardArt> {
  const response = await fetch(`/boards/${map}.json`);
  if (!response.ok) throw new Error(response.statusText);
  return (await response.json()) as BoardArt;
}
