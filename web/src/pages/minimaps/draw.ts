/** A map of somebody else's at a glance, drawn from its facts on the frame of 320 × 240 units that ours have. */
import type { MapFacts } from "../../wire.ts";

export interface MiniArt {
  land: string;
  lakes: string;
  tracks: Record<string, string>;
  places: string;
}

const [WIDTH, HEIGHT, MARGIN] = [320, 240, 34];
type Facts = Pick<MapFacts, "places" | "tracks" | "outline">;

export function miniOf(facts: Facts): MiniArt {
  const at = projection(facts);
  const point = (lon: number, lat: number) => at(lon, lat).join(" ");
  const places = new Map(facts.places.map((place) => [place.id, point(place.lon, place.lat)]));
  const tracks: Record<string, string> = {};
  const seen = new Set<string>();
  for (const { a, b, colour } of facts.tracks) {
    const pair = [a, b].sort().join(" ");
    if (!seen.has(pair)) tracks[colour] = `${tracks[colour] ?? ""}M${places.get(a)}L${places.get(b)}`;
    seen.add(pair); // of parallel tracks one is enough here
  }
  return { land: landOf(facts, point), lakes: "", tracks, places: [...places.values()].map((p) => `M${p}h0`).join("") };
}

/** The land it brings; without any, all is land. */
function landOf({ outline }: Facts, point: (lon: number, lat: number) => string): string {
  if (!outline.length) return `M-9 -9H${WIDTH + 9}V${HEIGHT + 9}H-9z`;
  return outline.map((line) => `M${line.map(([lon, lat]) => point(lon!, lat!)).join("L")}z`).join("");
}

/** Longitudes as far apart as they are in the middle of the map, all places inside the margins. */
function projection({ places }: Facts): (lon: number, lat: number) => [number, number] {
  const middle = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2;
  const spread = (values: number[]) => Math.max(Math.max(...values) - Math.min(...values), 1e-6);
  const [lons, lats] = [places.map((place) => place.lon), places.map((place) => place.lat)];
  const [lon0, lat0] = [middle(lons), middle(lats)];
  const narrow = Math.max(Math.cos((lat0 * Math.PI) / 180), 0.1);
  const [wide, high] = [(WIDTH - 2 * MARGIN) / (spread(lons) * narrow), (HEIGHT - 2 * MARGIN) / spread(lats)];
  const scale = Math.min(wide, high);
  return (lon, lat) => [
    Math.round(WIDTH / 2 + (lon - lon0) * narrow * scale),
    Math.round(HEIGHT / 2 - (lat - lat0) * scale),
  ];
}
