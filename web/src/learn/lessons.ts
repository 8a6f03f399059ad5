/** The lessons there are: one for each map with rules of its own. */
import type { MapFacts } from "../wire.ts";
import { type LessonCard, lessonOf, type Lessons } from "./content.ts";

export interface Lesson {
  id: string;
  title: string;
  picture: string;
  cards: LessonCard[];
  /** Whose rules can be read on, and which can be played at once. */
  map: string;
  playable: boolean;
}

/** A map's lesson shows a picture that no map before it has: what is new there. */
export function lessonsOf(lessons: Lessons, all: MapFacts[]): Lesson[] {
  const shown = new Set<string>();
  return all.flatMap((facts) => {
    const cards = lessonOf(lessons, facts);
    if (!cards.length) return [];
    const picture = (cards.find((card) => !shown.has(card.picture)) ?? cards[0]!).picture;
    for (const card of cards) shown.add(card.picture);
    return [{ id: facts.id, title: facts.name, picture, cards, map: facts.id, playable: true }];
  });
}

/** One for each mechanic, where nobody can say which map has which; `map` is one whose rules can be read on. */
export const lessonsApart = ({ mechanics }: Lessons, map: string): Lesson[] =>
  Object.entries(mechanics).map(([id, cards]) => {
    const { title, picture } = cards[0]!;
    return { id, title, picture, cards, map, playable: false };
  });
