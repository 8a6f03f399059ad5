/** The card colours for code that cannot read CSS; tokens.css holds the same values (tested). */

export const CARD_COLOUR = {
  purple: "#96449b",
  blue: "#0e3d75",
  orange: "#ea9443",
  white: "#f4f1e5",
  green: "#438849",
  yellow: "#fbd553",
  black: "#211c15",
  red: "#a80015",
  loco: "#8accc8",
  gray: "#95928c",
} as const;

export const CARD_INK = {
  purple: "#fffaf0",
  blue: "#fffaf0",
  orange: "#1b140c",
  white: "#1b140c",
  green: "#0d0a05",
  yellow: "#1b140c",
  black: "#fffaf0",
  red: "#fffaf0",
  loco: "#1b140c",
  gray: "#1b140c",
} as const;

/** Each colour's hatch, after the old engravers' way of printing coats of arms without colour. */
export const HATCH = {
  purple: "rising",
  blue: "level",
  orange: "zigzag",
  white: "crosses",
  green: "falling",
  yellow: "dots",
  black: "grid",
  red: "upright",
  loco: "rainbow",
  gray: "bricks",
} as const;

export type CardColour = keyof typeof CARD_COLOUR;
