/** Names that strangers chose are not shown where only phrases are: at a listed table each is called by their seat's colour. */
import { lang } from "../i18n/index.svelte.ts";
import type { TableLine, TableWire } from "../wire.ts";
import { lookName } from "./seats.ts";
import { settings } from "./settings.svelte.ts";

function named(look: number): string {
  const word = lookName(look);
  return word.charAt(0).toLocaleUpperCase(lang.code) + word.slice(1);
}

/** A table as this visitor wants to read it. */
export function tableShown(table: TableWire): TableWire {
  if (!settings.phrasesOnly || !table.listed) return table;
  const seats = table.seats.map((seat) =>
    seat.kind === "person" && !seat.you ? { ...seat, name: named(seat.colour) } : seat,
  );
  return { ...table, seats };
}

/** The same for a table in a list, which does not say who is a bot. */
export function lineShown(line: TableLine): TableLine {
  if (!settings.phrasesOnly || !line.listed) return line;
  return { ...line, names: line.names.map((name, i) => (name && i !== line.you ? named(line.colours[i] ?? i) : name)) };
}
