/** The legal lines of the reader, sorted by kind. Nothing is legal but what is here. */

export interface Offers {
  /** Places of the display that can be taken, with their lines. */
  display: Map<number, string>;
  deck: string | null;
  terrain: Map<number, string>;
  terrainDeck: string | null;
  tickets: string | null;
  /** Tracks and places of stations, each with the colours it can be paid in. */
  claims: Map<string, string[]>;
  stations: Map<string, string[]>;
  keeps: string[];
  returns: string[];
  takes: string[];
  locos: number[];
  doubles: number[];
  single: boolean;
  festivals: string[];
  decline: boolean;
  pass: boolean;
  count: number;
}

const empty = (): Offers => ({
  display: new Map(), deck: null, terrain: new Map(), terrainDeck: null, tickets: null, claims: new Map(), stations: new Map(),
  keeps: [], returns: [], takes: [], locos: [], doubles: [], single: false, festivals: [], decline: false, pass: false, count: 0,
});

const add = (map: Map<string, string[]>, key: string, value: string) => {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
};

export function readOffers(lines: string[]): Offers {
  const offers = empty();
  offers.count = lines.length;
  for (const line of lines) {
    const [verb, one = "", two = ""] = line.split(" ");
    if (verb === "draw") {
      if (one === "deck") offers.deck = line;
      else offers.display.set(Number(one), line);
    } else if (verb === "terrain") {
      if (one === "deck") offers.terrainDeck = line;
      else offers.terrain.set(Number(one), line);
    } else if (verb === "claim") add(offers.claims, one, two);
    else if (verb === "station") add(offers.stations, one, two);
    else if (verb === "tickets") offers.tickets = line;
    else if (verb === "keep") offers.keeps.push(line);
    else if (verb === "return") offers.returns.push(one);
    else if (verb === "take") offers.takes.push(one);
    else if (verb === "locos") offers.locos.push(Number(one));
    else if (verb === "double") offers.doubles.push(Number(one));
    else if (verb === "single") offers.single = true;
    else if (verb === "festival") offers.festivals.push(one);
    else if (verb === "decline") offers.decline = true;
    else if (verb === "pass") offers.pass = true;
  }
  return offers;
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
