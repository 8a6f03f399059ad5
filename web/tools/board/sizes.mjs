// The usual sizes of spaces, places and labels on a board.
export const SLOT = {
  w: 32,
  h: 13.5,
  stretch: 1.3,
  lane: 2.5,
  gapLeast: 2.5,
  gapMost: 7,
  start: 11,
  margin: 5,
  dot: 7,
  far: 26,
  font: 15,
};
