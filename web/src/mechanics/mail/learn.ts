/** Mail, for those who learn a map that has it. */
import type { LearnPart } from "../types.ts";

export default {
  used: ({ mail_carry }) => mail_carry > 0,
  numbers: ({ mail, mail_carry }) => ({
    carry: mail_carry,
    least: Math.min(...Object.values(mail)),
    most: Math.max(...Object.values(mail)),
  }),
  lines: ({ mail, mail_carry }) => [
    ["learn.numbers.bags", Object.keys(mail).length],
    ["learn.numbers.carry", mail_carry],
  ],
} satisfies LearnPart;
