/** Stations, for those who learn a map that has them. */
import type { LearnPart } from "../types.ts";

export default {
  used: ({ stations_each }) => stations_each > 0,
  numbers: ({ stations_each, station_points }) => ({ stations_each, station_points }),
  lines: ({ stations_each, station_points }) => [
    ["learn.numbers.stations", stations_each],
    ["learn.numbers.unbuilt", station_points],
  ],
} satisfies LearnPart;
