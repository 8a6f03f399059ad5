/** Festivals at the end: each set of cards with its points. */
import { num, t, tn } from "../../i18n/index.svelte.ts";
import type { EndPart } from "../types.ts";

export default {
  line: {
    id: "festivals",
    there: (facts) => facts.festivals.length > 0,
    sign: "flag",
    points: (sheet) => sheet.festivals.reduce((sum, line) => sum + line.points, 0),
    words: (sheet, _, names) =>
      sheet.festivals.length
        ? sheet.festivals.map(({ group, cards, points }) =>
            t("end.festivals.line", {
              city: names.thing("group", group),
              cards: tn("common.cards", cards),
              points: tn("common.points", points),
            }),
          )
        : [t("end.festivals.none")],
    shown: (sheet, facts) => {
      const groups = new Set(sheet.festivals.map((line) => line.group));
      const lit = facts.festivals.filter((fact) => groups.has(fact.id)).flatMap((fact) => fact.places);
      return { trails: [], path: [], lit };
    },
  },
  player: ({ festival_count: n }) => (n ? [{ id: "festivals", words: `${t("end.part.festivals")}: ${num(n)}` }] : []),
  veilPlayer: () => ({ festivals: {} }),
} satisfies EndPart;
