// One board from a map file: places, tracks, labels, geography. Runs in the browser as well.
import { placeLabels } from "./labels.mjs";
import { drawer } from "./pen.mjs";
import { clashesOf } from "./proof.mjs";
import { relax } from "./relax.mjs";
import { relief } from "./relief.mjs";
import { tracksOf } from "./slots.mjs";
import { warp } from "./warp.mjs";

const tenth = (v) => Math.round(v * 10) / 10;

/** Least-squares line v = k u + c. */
function line(us, vs) {
  const n = us.length;
  const [mu, mv] = [us.reduce((p, q) => p + q) / n, vs.reduce((p, q) => p + q) / n];
  const k = us.reduce((sum, u, i) => sum + (u - mu) * (vs[i] - mv), 0) / us.reduce((sum, u) => sum + (u - mu) ** 2, 0);
  return [k, mv - k * mu];
}

/** Where places lie by the projection, scaled into the inner frame (or by one scale, or onto the printed positions). */
function project(facts, config) {
  const projection = config.projection();
  const raw = facts.places.map((place) => projection([place.lon, place.lat]));
  const [x0, y0, x1, y1] = config.inner;
  const [xs, ys] = [raw.map((p) => p[0]), raw.map((p) => p[1])];
  const ends = (vs, lo, hi) => {
    const [least, most] = [Math.min(...vs), Math.max(...vs)];
    if (config.uniform) return [config.uniform, lo - least * config.uniform];
    return [(hi - lo) / (most - least), lo - (least * (hi - lo)) / (most - least)];
  };
  const printed = facts.places.map(
    (place) => place.board && [x0 + place.board[0] * (x1 - x0), y0 + place.board[1] * (y1 - y0)],
  );
  const [kx, cx] = config.printed
    ? line(
        xs,
        printed.map((p) => p[0]),
      )
    : ends(xs, x0, x1);
  const [ky, cy] = config.printed
    ? line(
        ys,
        printed.map((p) => p[1]),
      )
    : ends(ys, y0, y1);
  const affine = (x, y) => [x * kx + cx, y * ky + cy];
  const truth = raw.map((p) => affine(...p));
  return { projection, affine, kx, cx, ky, cy, truth, start: config.printed ? printed : truth };
}

/** The state that is relaxed: nodes for places, groups for the tracks between two places. */
function prepare(facts, config, start) {
  const index = new Map(facts.places.map((place, i) => [place.id, i]));
  const nodes = facts.places.map((place, i) => {
    const [x, y] = config.moves?.[place.id] ?? start[i];
    return { id: place.id, x, y, x0: x, y0: y };
  });
  const groups = new Map();
  for (const track of facts.tracks) {
    const key = [track.a, track.b].sort().join("|");
    if (!groups.has(key)) {
      const bow = config.bows?.[`${track.a}-${track.b}`] ?? 0;
      groups.set(key, {
        a: index.get(track.a),
        b: index.get(track.b),
        n: track.length,
        tracks: [],
        bow,
        lean: bow,
        skew: 0,
        fromA: 0,
        fromB: 0,
      });
    }
    groups.get(key).tracks.push(track.id);
  }
  const { size, width, height } = config;
  return {
    nodes,
    groups: [...groups.values()],
    size,
    width,
    height,
    edge: 34,
    hold: config.hold ?? 0.012,
    stiff: 0.35,
    boxes: ornaments(config),
  };
}

function ornaments({ cartouche, compass }) {
  return [
    { ...cartouche, angle: 0 },
    { x: compass.x, y: compass.y, w: compass.r * 2, h: compass.r * 2, angle: 0 },
  ];
}

/** Labels for the places of a relaxed state. */
function label(facts, config, state) {
  const places = facts.places.map((place, i) => ({ ...place, x: tenth(state.nodes[i].x), y: tenth(state.nodes[i].y) }));
  const tracks = tracksOf(state);
  const { h } = config.size;
  const slots = Object.values(tracks).flatMap((track) =>
    track.slots.map(([x, y, angle]) => ({ x, y, w: track.w, h, angle })),
  );
  const scene = {
    places,
    slots,
    boxes: ornaments(config),
    size: config.size,
    width: config.width,
    height: config.height,
    edge: 22,
  };
  return { places, tracks, ...placeLabels(scene) };
}

/** Relaxes, labels, and gives labels that found no room a body of their own until all have one. */
function layout(facts, config, start) {
  const state = relax(prepare(facts, config, start), 600);
  let found = label(facts, config, state);
  for (let round = 0; round < 12; round++) {
    state.boxes = [
      ...ornaments(config),
      ...found.places.flatMap((place, i) => {
        const spot = found.chosen.get(place);
        return spot ? [{ node: i, x: spot.x - place.x, y: spot.y - place.y, w: spot.w, h: spot.h, angle: 0 }] : [];
      }),
    ];
    relax(state, 200);
    found = label(facts, config, state);
    if (clashesOf(assemble(facts, config, found)).length) continue;
    if (!found.clashes.length || round >= 3) break; // tight but free of each other is good enough by then
  }
  return found;
}

function assemble(facts, config, found) {
  const { h, dot, font } = config.size;
  const places = {};
  for (const place of found.places) {
    const spot = found.chosen.get(place);
    places[place.id] = {
      x: place.x,
      y: place.y,
      label: spot
        ? { x: tenth(spot.x), y: tenth(spot.y), w: tenth(spot.w), h: tenth(spot.h), lines: spot.lines }
        : null,
    };
  }
  return {
    map: facts.id,
    width: config.width,
    height: config.height,
    slot: h,
    dot,
    font,
    cartouche: config.cartouche,
    compass: config.compass,
    places,
    tracks: found.tracks,
  };
}

/** Pins that carry the land: the places, and a ring outside the frame that stays where it is. */
function pins(truth, found, { width, height }) {
  const moved = found.places.map((place, i) => ({ from: truth[i], to: [place.x, place.y] }));
  const ring = [];
  for (let i = 0; i <= 4; i++) {
    const [x, y] = [(width * i) / 4, (height * i) / 4];
    for (const p of [
      [x, -120],
      [x, height + 120],
      [-120, y],
      [width + 120, y],
    ])
      ring.push({ from: p, to: p });
  }
  return [...moved, ...ring];
}

/** The art of a board, and what is wrong with it; `geography(config, draw)` brings the land. */
export function buildBoard(facts, config, geography) {
  const view = project(facts, config);
  const found = layout(facts, config, view.start);
  const art = assemble(facts, config, found);
  const bend = warp(pins(view.truth, found, config), config.soft ?? 0.0003);
  const corner = (x, y) => [(x - view.cx) / view.kx, (y - view.cy) / view.ky];
  const clip = [corner(-90, -90), corner(config.width + 90, config.height + 90)];
  const draw = drawer({ projection: view.projection, affine: view.affine, bend }, clip);
  const onBoard = (lonLat) => bend(...view.affine(...view.projection(lonLat)));
  return { art: { ...art, ...geography(config, draw), relief: relief(config, art, onBoard) }, clashes: clashesOf(art) };
}
