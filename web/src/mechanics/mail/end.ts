/** Mail at the end: each bag that was delivered, and the stamps of those who sat later. */
import { t, tn } from "../../i18n/index.svelte.ts";
import type { BagWire, ScoreWire } from "../../wire.ts";
import type { EndPart } from "../types.ts";
import { mailPoints } from "./table.ts";

const points = (sheet: ScoreWire) => mailPoints(sheet.mail) + sheet.stamps;
const seenBy = (bags: readonly BagWire[], eyes: number) =>
  bags.map((bag) => (bag.seen_by.includes(eyes) ? bag : { ...bag, label: null }));

export default {
  line: {
    id: "mail",
    there: (facts) => facts.mail_carry > 0,
    sign: "#bag",
    points,
    words: (sheet, _, names) => [
      ...sheet.mail.map((bag) =>
        t("end.mail.line", { place: names.place(bag.label), points: tn("common.points", bag.points) }),
      ),
      ...(sheet.mail.length ? [] : [t("end.mail.none")]),
      ...(sheet.stamps ? [tn("end.mail.stamps", sheet.stamps)] : []),
    ],
    shown: (sheet) => ({ trails: [], path: [], lit: sheet.mail.map(({ label }) => label) }),
  },
  tie: { id: "mail", of: (sheet) => sheet.mail.length },
  row: {
    there: (facts) => facts.mail_carry > 0,
    title: () => t("end.table.mail"),
    of: (sheet) => sheet.mail.length,
  },
  player: ({ carried, delivered }, { facts }) =>
    facts.mail_carry
      ? [
          { id: "bags", words: tn("game.player.bags", carried.length), sign: "#bag", n: carried.length },
          {
            id: "mail",
            words: tn("game.player.mail", mailPoints(delivered)),
            sign: "#stamp",
            n: mailPoints(delivered),
          },
        ]
      : [],
  veilPlayer: ({ carried }, eyes) => ({ carried: seenBy(carried, eyes) }),
  veilView: ({ bags }, eyes) => ({ bags: seenBy(bags, eyes) }),
  veilEvent: (event, eyes) => {
    if (event.kind === "BagSeen") return { ...event, label: null };
    const hidden = (event.kind === "BagTaken" || event.kind === "BagLaid") && !event.known_to.includes(eyes);
    return hidden ? { ...event, label: null } : null;
  },
} satisfies EndPart;
