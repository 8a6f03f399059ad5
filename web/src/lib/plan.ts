/**
 * Advice, not a rule: the cheapest way to join the ends of a ticket, and what it still takes. Own tracks are free,
 * tracks of others and closed ones cannot be used, every other costs its spaces. A dead end is not passed through.
 */
import type { MapFacts, TicketFact, TrackFact } from "../wire.ts";

export interface Ends { a: string[]; b: string[] }

/** What a plan is made from: the board as it lies, and the cards in hand. */
export interface Situation {
  owners: Record<string, number>;
  me: number | null;
  closed: Iterable<string>;
  hand: Record<string, number>;
}

export interface Plan {
  /** The tracks of the path from end to end, own ones among them. */
  tracks: string[];
  trainsMissing: number;
  /** Cards not in hand yet, by colour; `gray` is any one colour, `loco` what ferries ask for. */
  cardsMissing: Record<string, number>;
}

export interface Suggestion { line: string; points: number; trains: number }

const FAR = 1000; // a space weighs far more than a card that is not in hand: trains first, then cards

interface Step { from: string; track: TrackFact }

/** The board as a net: who can be reached from where, and at what price. Made once for many questions. */
export class Net {
  readonly #byPlace = new Map<string, TrackFact[]>();
  readonly #dead: Set<string>;
  readonly #cost = new Map<string, number>();
  readonly #tracks: Map<string, TrackFact>;
  readonly #hand: Record<string, number>;

  constructor(facts: MapFacts, situation: Situation) {
    const closed = new Set(situation.closed);
    this.#hand = situation.hand;
    this.#dead = new Set(facts.places.filter((place) => place.dead_end).map((place) => place.id));
    this.#tracks = new Map(facts.tracks.map((track) => [track.id, track]));
    for (const track of facts.tracks) {
      const owner = situation.owners[track.id];
      if (owner === undefined ? closed.has(track.id) : owner !== situation.me) continue;
      this.#cost.set(track.id, owner === undefined ? track.length * FAR + this.#short(track) : 0);
      for (const place of [track.a, track.b]) {
        if (!this.#byPlace.has(place)) this.#byPlace.set(place, []);
        this.#byPlace.get(place)!.push(track);
      }
    }
  }

  /** The cheapest plan for these ends, or null if they cannot be joined any more. `paid` tracks count as own. */
  plan(ends: Ends, paid: ReadonlySet<string> = new Set()): Plan | null {
    const found = this.#search(ends, paid);
    if (!found) return null;
    const missing = found.filter((track) => this.#price(track, paid) > 0);
    return {
      tracks: found.map((track) => track.id),
      trainsMissing: missing.reduce((sum, track) => sum + track.length, 0),
      cardsMissing: missingCards(missing, this.#hand),
    };
  }

  /** One plan for several tickets that share their tracks, the cheapest ticket first; null if one cannot be had. */
  together(tickets: Ends[]): Plan | null {
    const paid = new Set<string>();
    const left = [...tickets];
    while (left.length) {
      const plans = left.map((ticket) => this.plan(ticket, paid));
      if (plans.includes(null)) return null;
      const trains = plans.map((plan) => plan!.trainsMissing);
      const next = trains.indexOf(Math.min(...trains));
      for (const id of plans[next]!.tracks) paid.add(id);
      left.splice(next, 1);
    }
    const missing = [...paid].map((id) => this.#tracks.get(id)!).filter((track) => this.#cost.get(track.id)! > 0);
    return {
      tracks: [...paid],
      trainsMissing: missing.reduce((sum, track) => sum + track.length, 0),
      cardsMissing: missingCards(missing, this.#hand),
    };
  }

  #price(track: TrackFact, paid: ReadonlySet<string>): number {
    return paid.has(track.id) ? 0 : this.#cost.get(track.id)!;
  }

  /** Cards the hand lacks for this track alone: decides between ways of the same length. */
  #short(track: TrackFact): number {
    return Object.values(missingCards([track], this.#hand)).reduce((sum, n) => sum + n, 0);
  }

  #search(ends: Ends, paid: ReadonlySet<string>): TrackFact[] | null {
    const best = new Map<string, number>(ends.a.map((place) => [place, 0]));
    const came = new Map<string, Step>();
    const open = new Set(ends.a);
    while (open.size) {
      const at = [...open].reduce((one, other) => (best.get(other)! < best.get(one)! ? other : one));
      open.delete(at);
      if (ends.b.includes(at)) return trail(came, at);
      if (this.#dead.has(at) && came.has(at)) continue;
      for (const track of this.#byPlace.get(at) ?? []) {
        const to = track.a === at ? track.b : track.a;
        const cost = best.get(at)! + this.#price(track, paid);
        if (cost >= (best.get(to) ?? Infinity)) continue;
        best.set(to, cost);
        came.set(to, { from: at, track });
        open.add(to);
      }
    }
    return null;
  }
}

function trail(came: Map<string, Step>, end: string): TrackFact[] {
  const tracks: TrackFact[] = [];
  for (let step = came.get(end); step; step = came.get(step.from)) tracks.unshift(step.track);
  return tracks;
}

/** The cards a hand lacks for these tracks: locomotives of ferries, then colours, then gray tracks from what is left. */
export function missingCards(tracks: TrackFact[], hand: Record<string, number>): Record<string, number> {
  const left: Record<string, number> = { ...hand };
  const missing: Record<string, number> = {};
  const lack = (card: string, n: number) => {
    if (n > 0) missing[card] = (missing[card] ?? 0) + n;
  };
  const take = (card: string, n: number): number => {
    const taken = Math.min(left[card] ?? 0, n);
    left[card] = (left[card] ?? 0) - taken;
    return n - taken;
  };
  for (const track of tracks) if (track.ferry) lack("loco", take("loco", track.ferry));
  for (const track of tracks) {
    if (track.colour !== "gray") lack(track.colour, take(track.colour, track.length - track.ferry));
  }
  const gray = tracks.filter((track) => track.colour === "gray").sort((one, other) => other.length - one.length);
  for (const track of gray) {
    const colours = Object.keys(left).filter((card) => card !== "loco");
    const most = colours.reduce((one, other) => (left[other]! > (left[one] ?? 0) ? other : one), "");
    lack("gray", most ? take(most, track.length - track.ferry) : track.length - track.ferry);
  }
  for (const card of Object.keys(missing).filter((name) => name !== "loco").sort((x, y) => missing[y]! - missing[x]!)) {
    missing[card] = take("loco", missing[card]!);
    if (!missing[card]) delete missing[card];
  }
  return missing;
}

/** Of the `keep …` lines on offer, the one with the most points for each train it takes; null if no plan can be made. */
export function suggestKeep(net: Net, tickets: Map<string, TicketFact>, lines: string[], trains: number): Suggestion | null {
  let best: (Suggestion & { worth: number }) | null = null;
  for (const line of lines) {
    const [verb, ...ids] = line.split(" ");
    const chosen = ids.map((id) => tickets.get(id)).filter((ticket) => ticket !== undefined);
    if (verb !== "keep" || !chosen.length) continue;
    const plan = net.together(chosen);
    if (!plan || plan.trainsMissing > trains) continue;
    const points = chosen.reduce((sum, ticket) => sum + ticket.points, 0);
    const worth = points / Math.max(1, plan.trainsMissing);
    if (!best || worth > best.worth) best = { line, points, trains: plan.trainsMissing, worth };
  }
  return best && { line: best.line, points: best.points, trains: best.trains };
}
