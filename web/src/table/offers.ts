/** The legal lines of the reader, sorted by kind. Nothing is legal but what is here. */

export interface Offers {
  /** Places of the display that can be taken, with their lines. */
  display: Map<number, string>;
  deck: string | null;
  tickets: string | null;
  /** Tracks, each with the colours it can be paid in. */
  claims: Map<string, string[]>;
  keeps: string[];
  returns: string[];
  locos: number[];
  pass: boolean;
  count: number;
  /** What stands behind the first word of the lines that begin with it: a mechanic's own lines. */
  of: (verb: string) => string[][];
}

const add = <Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value) => {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
};

export function readOffers(lines: string[]): Offers {
  const display = new Map<number, string>();
  const claims = new Map<string, string[]>();
  const verbs = new Map<string, string[][]>();
  for (const line of lines) {
    const [verb, ...rest] = line.split(" ") as [string, ...string[]];
    const [one = "", two = ""] = rest;
    add(verbs, verb, rest);
    if (verb === "draw" && one !== "deck") display.set(Number(one), line);
    else if (verb === "claim") add(claims, one, two);
  }
  const of = (verb: string) => verbs.get(verb) ?? [];
  const exact = (line: string) => (lines.includes(line) ? line : null);
  return {
    display,
    deck: exact("draw deck"),
    tickets: exact("tickets"),
    claims,
    keeps: lines.filter((line) => line.startsWith("keep ")),
    returns: of("return").map(([ticket]) => ticket!),
    locos: of("locos").map(([n]) => Number(n)),
    pass: exact("pass") !== null,
    count: lines.length,
    of,
  };
}

/** The `keep …` line of a selection in the order of the offer, if it is on offer. */
export function keepLine(keeps: string[], offered: string[], chosen: ReadonlySet<string>): string | null {
  const line = ["keep", ...offered.filter((id) => chosen.has(id))].join(" ");
  return keeps.includes(line) ? line : null;
}

/** The sizes a selection may have, read off the lines on offer. */
export function keepSizes(keeps: string[]): { least: number; most: number } {
  const sizes = keeps.map((line) => line.split(" ").length - 1);
  return { least: Math.min(...sizes), most: Math.max(...sizes) };
}
