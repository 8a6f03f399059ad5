// Widths of the label face (Barlow Semi Condensed 600) in ems: labels are placed before any browser sees them.

const WIDTHS = {
  0.2: " ",
  0.22: "l",
  0.23: "ij'’",
  0.24: "I.",
  0.33: "ft",
  0.34: "r",
  0.36: "-",
  0.38: "ł",
  0.41: "z",
  0.45: "sy",
  0.46: "v",
  0.47: "x",
  0.48: "Zacek",
  0.49: "FLghnou",
  0.5: "bdpqøđ",
  0.51: "EJSß",
  0.52: "QT",
  0.53: "CPY",
  0.54: "BDGORVXØ",
  0.55: "AK",
  0.56: "HU",
  0.59: "N",
  0.63: "M",
  0.68: "w",
  0.75: "mæ",
  0.77: "W",
};
const WIDEST = 0.8;
const byLetter = new Map(
  Object.entries(WIDTHS).flatMap(([width, letters]) => [...letters].map((c) => [c, Number(width)])),
);

/** The width of a text in ems; a letter with a mark is as wide as the bare letter. */
export function textWidth(text) {
  const bare = text.normalize("NFD").replace(/[\u0300-\u036f]/g, "");
  return [...bare].reduce((sum, letter) => sum + (byLetter.get(letter) ?? WIDEST), 0);
}
