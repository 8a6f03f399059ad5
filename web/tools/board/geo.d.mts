/** Coasts, lakes, rivers, borders and the graticule of a board. */
export function geography(config: unknown, draw: unknown): Record<string, string>;
