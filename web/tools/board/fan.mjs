// The board of a map that nobody drew: projection, frame, sizes and ornaments chosen from its facts. Runs in the browser.
import { geoArea, geoConicConformal, geoMercator } from "d3-geo";
import { buildBoard } from "./build.mjs";
import { graticuleOf } from "./pen.mjs";
import { SLOT } from "./sizes.mjs";

const SPACE = 37; // units of the board that a space of a track needs
const EDGE = 74; // from the frame to the outermost place
const LEAST = { width: 620, height: 440 };
const MOST = { width: 1500, height: 1150 };
const CARTOUCHE = { w: 200, h: 118 };
const COMPASS = 38;
const STRIP = 150; // added at the foot where the ornaments find no corner
const MOST_LATITUDE = 80;
const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20];

const middle = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const between = (least, value, most) => Math.min(most, Math.max(least, value));
const range = (values) => [Math.min(...values), Math.max(...values)];

/** The longitude in the middle of the places, also where they lie on both sides of the date line. */
function midLongitude(places) {
  const turns = places.map(({ lon }) => (lon * Math.PI) / 180);
  const [x, y] = [Math.cos, Math.sin].map((part) => turns.reduce((sum, turn) => sum + part(turn), 0));
  return (Math.atan2(y, x) * 180) / Math.PI;
}

function projectionOf(places) {
  const [south, north] = range(places.map(({ lat }) => lat));
  const lon = midLongitude(places);
  if (Math.abs(south + north) / 2 < 15) return geoMercator().rotate([-lon, 0]);
  const sixth = (north - south) / 6;
  return geoConicConformal()
    .parallels([south + sixth, north - sixth])
    .rotate([-lon, 0]);
}

/** How many units of the board one unit of the projection is: tracks get the room that their spaces need. */
function scaleOf(facts, raw) {
  const at = new Map(facts.places.map((place, i) => [place.id, raw[i]]));
  const wishes = facts.tracks.map(({ a, b, length }) => {
    const far = Math.hypot(at.get(a)[0] - at.get(b)[0], at.get(a)[1] - at.get(b)[1]);
    return (length * SPACE + 24) / Math.max(far, 1e-9);
  });
  return middle(wishes);
}

/** The frame about the places, and where in it they lie. */
function frame(facts, raw) {
  const [[x0, x1], [y0, y1]] = [range(raw.map((p) => p[0])), range(raw.map((p) => p[1]))];
  const room = [MOST.width - 2 * EDGE, MOST.height - 2 * EDGE];
  const most = Math.min(room[0] / Math.max(x1 - x0, 1e-9), room[1] / Math.max(y1 - y0, 1e-9));
  const scale = Math.min(scaleOf(facts, raw), most);
  const [w, h] = [(x1 - x0) * scale, (y1 - y0) * scale];
  const width = Math.round(between(LEAST.width, w + 2 * EDGE, MOST.width));
  const height = Math.round(between(LEAST.height, h + 2 * EDGE, MOST.height));
  const [left, top] = [(width - w) / 2, (height - h) / 2];
  return { width, height, inner: [left, top, left + w, top + h], scale, from: [x0, y0] };
}

/** Points on all tracks: what ornaments must not cover. */
function busy(facts, { inner, scale, from }, raw) {
  const at = new Map(
    facts.places.map((place, i) => [
      place.id,
      [inner[0] + (raw[i][0] - from[0]) * scale, inner[1] + (raw[i][1] - from[1]) * scale],
    ]),
  );
  return facts.tracks.flatMap(({ a, b }) =>
    [0, 0.25, 0.5, 0.75, 1].map((t) => [0, 1].map((k) => at.get(a)[k] + (at.get(b)[k] - at.get(a)[k]) * t)),
  );
}

/** Cartouche and compass in free corners, or in a strip added at the foot. */
function ornaments(board, points) {
  const corner = (w, h, { width, height }) =>
    [
      [width - w / 2 - 26, height - h / 2 - 26],
      [w / 2 + 26, height - h / 2 - 26],
      [width - w / 2 - 26, h / 2 + 26],
      [w / 2 + 26, h / 2 + 26],
    ].map(([x, y]) => ({ x: Math.round(x), y: Math.round(y) }));
  const free = (w, h, gap) => (spot) =>
    points.every(([x, y]) => Math.abs(x - spot.x) > w / 2 + gap || Math.abs(y - spot.y) > h / 2 + gap);
  const { w, h } = CARTOUCHE;
  const spot = corner(w, h, board).find(free(w, h, 50));
  const round = 2 * COMPASS;
  const apart = (one) => !spot || Math.hypot(one.x - spot.x, one.y - spot.y) > w;
  const needle = spot && corner(round, round, board).find((one) => apart(one) && free(round, round, 40)(one));
  const height = spot && needle ? board.height : board.height + STRIP;
  const low = corner(w, h, { ...board, height });
  const lower = corner(round, round, { ...board, height });
  return {
    height,
    cartouche: { ...(spot && needle ? spot : low[0]), w, h },
    compass: { ...(needle ?? lower[1]), r: COMPASS },
  };
}

function configOf(facts) {
  const projection = projectionOf(facts.places);
  const raw = facts.places.map(({ lon, lat }) => projection([lon, lat]));
  const board = frame(facts, raw);
  const [lats, lons] = [range(facts.places.map(({ lat }) => lat)), range(facts.places.map(({ lon }) => lon))];
  const span = Math.max(lats[1] - lats[0], lons[1] - lons[0]) / 4;
  return {
    width: board.width,
    inner: board.inner,
    uniform: board.scale,
    projection: () => projectionOf(facts.places),
    extent: [
      Math.max(-180, lons[0] - 4 * span),
      Math.max(-MOST_LATITUDE, lats[0] - 4 * span),
      Math.min(180, lons[1] + 4 * span),
      Math.min(MOST_LATITUDE, lats[1] + 4 * span),
    ],
    degrees: STEPS.find((step) => step >= span) ?? STEPS.at(-1),
    hold: 0.01,
    size: SLOT,
    ...ornaments(board, busy(facts, board, raw)),
  };
}

/** A ring that holds the smaller part of the world, whichever way round it was written. */
function ringOf(line) {
  const ring = [...line, line[0]];
  const polygon = (coordinates) => ({ type: "Polygon", coordinates: [coordinates] });
  return geoArea(polygon(ring)) > 2 * Math.PI ? [...ring].reverse() : ring;
}

/** The land that the map brings; without any, all is land. */
function geographyOf(facts) {
  return (config, draw) => {
    const land = { type: "MultiPolygon", coordinates: facts.outline.map((line) => [ringOf(line)]) };
    const everywhere = `M-20 -20h${config.width + 40}v${config.height + 40}h-${config.width + 40}z`;
    return {
      land: facts.outline.length ? draw(land, { slack: 0.45, smallest: 5 }) : everywhere,
      shore: facts.outline.length ? draw(land, { slack: 1.8, smallest: 30 }) : "",
      lakes: "",
      rivers: "",
      borders: "",
      states: "",
      graticule: draw(graticuleOf(config, 0), { slack: 0.15 }),
    };
  };
}

/** The places off the poles, which no projection of ours shows, and none where another lies. */
function apart(places) {
  const span = Math.max(
    ...["lon", "lat"].map((key) => range(places.map((place) => place[key]))).map(([a, b]) => b - a),
  );
  const step = (span || 1) / 30;
  const done = [];
  for (const place of places) {
    const at = { lon: place.lon, lat: between(-MOST_LATITUDE, place.lat, MOST_LATITUDE) };
    for (
      let turn = 0;
      done.some((other) => Math.hypot(other.lon - at.lon, other.lat - at.lat) < step / 4);
      turn += 2.4
    ) {
      at.lon += Math.cos(turn) * step;
      at.lat += Math.sin(turn) * step;
    }
    done.push({ ...place, ...at });
  }
  return done;
}

/** The art of a board that is drawn from the facts of its map. */
export function drawBoard(facts) {
  const placed = { ...facts, places: apart(facts.places) };
  return buildBoard(placed, configOf(placed), geographyOf(placed));
}
