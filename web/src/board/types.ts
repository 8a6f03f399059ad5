/** The drawn board, as tools/boards.mjs writes it: shapes only, no fact of the game. */
export interface LabelArt {
  x: number;
  y: number;
  w: number;
  h: number;
  lines: string[];
}

export interface PlaceArt {
  x: number;
  y: number;
  label: LabelArt | null;
}

/** A space: its middle, and how it is turned in degrees. */
export type SlotArt = [x: number, y: number, angle: number];

export interface TrackArt {
  d: string;
  w: number;
  slots: SlotArt[];
}

export interface BoardArt {
  map: string;
  width: number;
  height: number;
  /** Height of a space. */
  slot: number;
  /** Radius of a place. */
  dot: number;
  font: number;
  cartouche: { x: number; y: number; w: number; h: number };
  compass: { x: number; y: number; r: number };
  places: Record<string, PlaceArt>;
  tracks: Record<string, TrackArt>;
  land: string;
  /** The coasts once more, coarser, for the lines in the water. */
  shore: string;
  lakes: string;
  rivers: string;
  borders: string;
  states: string;
  graticule: string;
  relief: string;
}

export interface Point {
  x: number;
  y: number;
}

export interface Trail {
  tracks: string[];
  seat: number;
}
