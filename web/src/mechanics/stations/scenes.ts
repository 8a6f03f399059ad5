/** The sheets of stations: a list of cities, one city with its price; and what those built would lend. */
import type { ScenePart } from "../types.ts";
import Loans from "./Loans.svelte";
import StationList from "./StationList.svelte";
import StationSheet from "./StationSheet.svelte";

export default {
  sheets: { stations: StationList, station: StationSheet },
  Tickets: Loans,
} satisfies ScenePart;
