/** The signs of the page's controls: 24 × 24, one line of 1.75, round ends; `dot` is filled instead of drawn. */

interface Drawing {
  line: string;
  dot?: string;
}

const ring = (cx: number, cy: number, r: number): string =>
  `M${cx - r} ${cy}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;

export const ICONS = {
  draw: {
    line: "M8 7h9a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V9a2 2 0 0 1 2-2zM9 3.5h8a5.5 5.5 0 0 1 5.5 5.5v7M12.5 10.5v7m-3-3 3 3 3-3",
  },
  deck: {
    line: "M4 9.5h12a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 1-1.5 1.5H4A1.5 1.5 0 0 1 2.5 19v-8A1.5 1.5 0 0 1 4 9.5zM6 6.5h11.5a2.5 2.5 0 0 1 2.5 2.5v8M9 3.5h10A3.5 3.5 0 0 1 22.5 7v7",
  },
  track: { line: "M7 3v18M17 3v18M4 6.5h16M4 12h16M4 17.5h16" },
  tickets: { line: "M3 8.5V6.5h18v2a3.5 3.5 0 0 0 0 7v2H3v-2a3.5 3.5 0 0 0 0-7zM14.5 6.5v2m0 2.5v2m0 2.5v2" },
  train: {
    line: "M7 3.5h10a2 2 0 0 1 2 2V15a2.5 2.5 0 0 1-2.5 2.5h-9A2.5 2.5 0 0 1 5 15V5.5a2 2 0 0 1 2-2zM5 11h14M12 3.5V11M8 17.5 5.5 21m10.5-3.5 2.5 3.5",
    dot: ring(8.7, 14.3, 1.1) + ring(15.3, 14.3, 1.1),
  },
  pass: { line: "M5 5v14l9-7zM18 5v14" },
  points: { line: "m12 3 2.7 5.7 6.3.8-4.6 4.3 1.2 6.2L12 17l-5.6 3 1.2-6.2L3 9.5l6.3-.8z" },
  sound: { line: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4 4 0 0 1 0 6M18 6.5a7.6 7.6 0 0 1 0 11" },
  mute: { line: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5m0-5-5 5" },
  settings: { line: ring(15, 7, 2.2) + ring(9, 17, 2.2) + "M3.5 7h9.3m4.4 0h3.3M3.5 17h3.3m4.4 0h9.3" },
  chat: {
    line: "M4.5 4.5h15A1.5 1.5 0 0 1 21 6v9.5a1.5 1.5 0 0 1-1.5 1.5H11l-4.5 4v-4h-2A1.5 1.5 0 0 1 3 15.5V6a1.5 1.5 0 0 1 1.5-1.5zM7.5 9h9m-9 3.5h6",
  },
  qr: {
    line: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2.5v2.5M20 14v2.5M14 20h2.5M20 20v-.5",
    dot: "M6.3 6.3h1.4v1.4H6.3zM16.3 6.3h1.4v1.4h-1.4zM6.3 16.3h1.4v1.4H6.3z",
  },
  undo: { line: "M8.5 4.5 4 9l4.5 4.5M4 9h10a6 6 0 0 1 0 12h-4" },
  redo: { line: "M15.5 4.5 20 9l-4.5 4.5M20 9H10a6 6 0 0 0 0 12h4" },
  "zoom-in": { line: ring(10.5, 10.5, 6.5) + "M15.5 15.5 21 21M10.5 7.5v6m-3-3h6" },
  "zoom-out": { line: ring(10.5, 10.5, 6.5) + "M15.5 15.5 21 21M7.5 10.5h6" },
  fit: { line: "M3.5 8.5v-5h5m7 0h5v5m0 7v5h-5m-7 0h-5v-5M8 9.5h8v5H8z" },
  search: { line: ring(10.5, 10.5, 6.5) + "M15.5 15.5 21 21" },
  close: { line: "m5.5 5.5 13 13m0-13-13 13" },
  check: { line: "m4 12.5 5.5 5.5L20 6.5" },
  plus: { line: "M12 4.5v15M4.5 12h15" },
  minus: { line: "M4.5 12h15" },
  back: { line: "M14.5 5 7.5 12l7 7" },
  next: { line: "m9.5 5 7 7-7 7" },
  up: { line: "m5 14.5 7-7 7 7" },
  down: { line: "m5 9.5 7 7 7-7" },
  menu: { line: "M4 6.5h16M4 12h16M4 17.5h16" },
  more: { line: "", dot: ring(5.5, 12, 1.6) + ring(12, 12, 1.6) + ring(18.5, 12, 1.6) },
  info: { line: ring(12, 12, 9) + "M12 11v6", dot: ring(12, 7.6, 1.2) },
  help: { line: ring(12, 12, 9) + "M9.3 9.5a2.7 2.7 0 1 1 4 2.4c-.9.5-1.3 1-1.3 2", dot: ring(12, 17, 1.2) },
  warning: { line: "M12 3.5 22 20.5H2zM12 10v5", dot: ring(12, 17.6, 1.1) },
  rules: { line: "M12 6.5C10 5 7 4.5 3.5 4.5v14c3.5 0 6.5.5 8.5 2 2-1.5 5-2 8.5-2v-14c-3.5 0-6.5.5-8.5 2zm0 0v14" },
  log: {
    line: "M6 3.5h12a1 1 0 0 1 1 1V21l-2.3-1.5L14.3 21 12 19.5 9.7 21l-2.4-1.5L5 21V4.5a1 1 0 0 1 1-1zM8.5 8h7m-7 4h7",
  },
  text: { line: "M4 5h16M4 10h10M4 15h16M4 20h10" },
  keyboard: {
    line: "M4 6h16a1.5 1.5 0 0 1 1.5 1.5v9A1.5 1.5 0 0 1 20 18H4a1.5 1.5 0 0 1-1.5-1.5v-9A1.5 1.5 0 0 1 4 6zM6.5 10h.01m3.7 0h.01m3.6 0h.01m3.7 0h.01M8 14h8",
  },
  clock: { line: ring(12, 12.5, 8.5) + "M12 7.5v5l3.5 2M9.5 2.5h5" },
  people: { line: ring(9, 8, 3.5) + "M2.5 20a6.5 6.5 0 0 1 13 0M16 4.8a3.5 3.5 0 0 1 0 6.4M18 14a6.5 6.5 0 0 1 3.5 6" },
  person: { line: ring(12, 8, 4) + "M4.5 20.5a7.5 7.5 0 0 1 15 0" },
  bot: {
    line: "M6 8.5h12a2 2 0 0 1 2 2V18a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-7.5a2 2 0 0 1 2-2zM12 8.5V5M9.5 16.5h5M1.5 12.5v3.5m21-3.5v3.5",
    dot: ring(12, 3.8, 1.3) + ring(8.7, 12.8, 1.2) + ring(15.3, 12.8, 1.2),
  },
  eye: { line: "M2 12c2.5-4.5 6-6.5 10-6.5s7.5 2 10 6.5c-2.5 4.5-6 6.5-10 6.5S4.5 16.5 2 12z" + ring(12, 12, 3) },
  "eye-off": { line: "M2 12c2.5-4.5 6-6.5 10-6.5s7.5 2 10 6.5c-2.5 4.5-6 6.5-10 6.5S4.5 16.5 2 12zM4 20 20 4" },
  lock: {
    line: "M6 10.5h12a1 1 0 0 1 1 1V20a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-8.5a1 1 0 0 1 1-1zM8 10.5V7a4 4 0 0 1 8 0v3.5M12 14.5v2.5",
  },
  link: {
    line: "M10 14a4 4 0 0 0 5.7 0l3.6-3.6a4 4 0 0 0-5.7-5.7L12 6.3M14 10a4 4 0 0 0-5.7 0l-3.6 3.6a4 4 0 0 0 5.7 5.7l1.6-1.6",
  },
  copy: {
    line: "M9 8.5h10a1 1 0 0 1 1 1V20a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V9.5a1 1 0 0 1 1-1zM4.5 15.5a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v1",
  },
  share: {
    line: ring(6, 12, 2.8) + ring(17.5, 5.5, 2.8) + ring(17.5, 18.5, 2.8) + "M8.5 10.6 15 6.9M8.5 13.4 15 17.1",
  },
  home: { line: "M3 11.5 12 4l9 7.5M5.5 9.5V20h13V9.5M10 20v-6h4v6" },
  play: { line: "M7 4.5v15l12-7.5z" },
  pause: { line: "M8 5v14M16 5v14" },
  first: { line: "M18 5v14l-9-7zM5.5 5v14" },
  last: { line: "M6 5v14l9-7zM18.5 5v14" },
  flag: { line: "M5 21.5V3.5m0 1c5-3 8 2.5 14 0v9c-6 2.5-9-3-14 0" },
  globe: { line: ring(12, 12, 9) + "M3 12h18M12 3c3 3 4 6 4 9s-1 6-4 9c-3-3-4-6-4-9s1-6 4-9z" },
  theme: { line: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z" },
  sun: {
    line:
      ring(12, 12, 4) + "M12 2.5v2.5m0 14v2.5M2.5 12H5m14 0h2.5M5.3 5.3 7 7m10 10 1.7 1.7m0-13.4L17 7M7 17l-1.7 1.7",
  },
  map: { line: "M3 6.5 9 4l6 2.5L21 4v13.5L15 20l-6-2.5L3 20zM9 4v13.5M15 6.5V20" },
  path: {
    line: ring(5.5, 18.5, 2.3) + ring(18.5, 5.5, 2.3) + "M7.8 18.5H14a3.2 3.2 0 0 0 0-6.5h-4a3.2 3.2 0 0 1 0-6.5h6.2",
  },
  bell: { line: "M6 17V11a6 6 0 0 1 12 0v6l1.5 1.5h-15zM10 21h4M12 5V3" },
  trophy: {
    line: "M7.5 4h9v6a4.5 4.5 0 0 1-9 0zM7.5 5.5H4V7a3.5 3.5 0 0 0 3.5 3.5M16.5 5.5H20V7a3.5 3.5 0 0 1-3.5 3.5M12 14.5V18m-4 2.5h8",
  },
  fair: { line: "M12 3v17m-4 .5h8M5 6.5h14M5 6.5l-2.8 7a3 3 0 0 0 5.6 0zM19 6.5l-2.8 7a3 3 0 0 0 5.6 0z" },
  download: { line: "M12 3.5v12m-4.5-4.5 4.5 4.5 4.5-4.5M4 20.5h16" },
  offline: { line: "M3 9.5a13 13 0 0 1 18 0M6.3 13a8.3 8.3 0 0 1 11.4 0M9.5 16.5a3.7 3.7 0 0 1 5 0M4 3.5l16 17" },
  swap: { line: "M4 8h14m-4-4 4 4-4 4M20 16H6m4-4-4 4 4 4" },
} satisfies Record<string, Drawing>;

export type IconName = keyof typeof ICONS;
/** A sign of the sprite: one of these by its name, or a mechanic's symbol as "#symbol". */
export type Sign = IconName | `#${string}`;
