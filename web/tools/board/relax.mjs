// Finds room for every space: places and track lines give way to each other, held by springs to their true positions.
import { along, walk } from "./curve.mjs";
import { discGap } from "./shapes.mjs";

const DISCS_PER_SLOT = 3;
const OUT = 2;

/** The gap slots need: on a bent line the inner corners come closer. */
function leastGap(group, length, size) {
  const bend = (8 * Math.abs(group.bow) + 20 * Math.abs(group.skew)) / length / group.n;
  return size.gapLeast + bend * (group.tracks.length * size.h) * 0.5;
}

/** How a group's slots lie on its line: their width, the gap between them and where the first begins. */
export function spread(group, length, size) {
  const { n } = group;
  const room = length - 2 * size.start - group.fromA - group.fromB;
  const least = leastGap(group, length, size);
  const w = Math.max(size.w * 0.94, Math.min(size.w * size.stretch, (room - (n - 1) * least) / n));
  const left = room - n * w;
  const gap = Math.min(
    Math.max(left / (n + 0.6), Math.min(least, left / Math.max(n - 1, 1))),
    Math.max(size.gapMost, least),
  );
  return { w, gap, first: size.start + group.fromA + (left - gap * (n - 1)) / 2 };
}

/** Side steps of the lanes of a group from its middle line. */
export function lanes(group, size) {
  const step = size.h + size.lane;
  return group.tracks.map((_, i) => (i - (group.tracks.length - 1) / 2) * step);
}

/** The discs that stand for the slots of every group, in one flat list. */
function discsOf(state) {
  const { nodes, groups, size } = state;
  const discs = [];
  groups.forEach((group, g) => {
    const line = walk(nodes[group.a], nodes[group.b], group.bow, group.skew);
    group.length = line[line.length - 1].far;
    const { w, gap, first } = spread(group, group.length, size);
    for (let i = 0; i < group.n; i++) {
      for (let k = 0; k < DISCS_PER_SLOT; k++) {
        const inSlot = size.h * 0.35 + ((w - size.h * 0.7) * k) / (DISCS_PER_SLOT - 1);
        const p = along(line, first + i * (w + gap) + inSlot);
        for (const side of lanes(group, size)) {
          const [nx, ny] = [-Math.sin(p.turn), Math.cos(p.turn)];
          discs.push({ g, t: p.t, x: p.x + nx * side, y: p.y + ny * side, nx, ny });
        }
      }
    }
  });
  return discs;
}

/** Asks a group to move by (vx, vy) at a disc: its ends, its bow, its skew and its slide share the wish. */
function pushDisc(state, disc, vx, vy) {
  const group = state.groups[disc.g];
  const { t } = disc;
  const [a, b] = [state.nodes[group.a], state.nodes[group.b]];
  const stiff = state.stiff;
  a.vx += vx * (1 - t) * stiff;
  a.vy += vy * (1 - t) * stiff;
  b.vx += vx * t * stiff;
  b.vy += vy * t * stiff;
  const across = vx * disc.nx + vy * disc.ny;
  group.vBow += across * 4 * t * (1 - t);
  group.vSkew += across * 4 * t * (1 - t) * (1 - 2 * t);
  const onward = vx * disc.ny - vy * disc.nx;
  if (t < 0.5) group.vFromA += onward * (1 - 2 * t);
  else group.vFromB -= onward * (2 * t - 1);
}

function pushNode(node, vx, vy) {
  node.vx += vx;
  node.vy += vy;
}

/** Discs of different groups keep their distance; a grid finds the near ones. */
function partDiscs(state, discs) {
  const apart = state.size.h + state.size.margin;
  const columns = Math.ceil(state.width / apart) + 8;
  const rows = Math.ceil(state.height / apart) + 8;
  const cells = new Array(columns * rows);
  for (const disc of discs) {
    const cx = Math.max(1, Math.min(columns - 2, Math.floor(disc.x / apart) + 4));
    const cy = Math.max(1, Math.min(rows - 2, Math.floor(disc.y / apart) + 4));
    for (let i = cx - 1; i <= cx + 1; i++) {
      for (let j = cy - 1; j <= cy + 1; j++) {
        const cell = cells[i * rows + j];
        if (cell) for (const other of cell) if (other.g !== disc.g) partTwo(state, disc, other, apart);
      }
    }
    (cells[cx * rows + cy] ??= []).push(disc);
  }
}

function partTwo(state, disc, other, apart) {
  const [dx, dy] = [disc.x - other.x, disc.y - other.y];
  const far2 = dx * dx + dy * dy;
  if (far2 >= apart * apart) return;
  const far = Math.sqrt(far2) || 0.01;
  const deep = (apart - far) / 2 / far;
  pushDisc(state, disc, dx * deep, dy * deep);
  pushDisc(state, other, -dx * deep, -dy * deep);
}

/** Places keep clear of the slots of tracks that do not end at them, and of each other. */
function partPlaces(state, discs) {
  const { nodes, groups, size } = state;
  const clear = size.dot + size.margin + size.h / 2;
  nodes.forEach((node, i) => {
    for (const disc of discs) {
      const dx = disc.x - node.x;
      const dy = disc.y - node.y;
      if (dx > clear || dx < -clear || dy > clear || dy < -clear) continue;
      const own = groups[disc.g].a === i || groups[disc.g].b === i;
      const far = Math.sqrt(dx * dx + dy * dy) || 0.01;
      const deep = ((own ? clear - 2 : clear) - far) / 2;
      if (deep <= 0) continue;
      if (!own) pushNode(node, (-dx / far) * deep * 0.5, (-dy / far) * deep * 0.5);
      pushDisc(state, disc, (dx / far) * deep, (dy / far) * deep);
    }
    for (let k = i + 1; k < nodes.length; k++) partNodes(node, nodes[k], size.dot * 2 + 16);
  });
}

function partNodes(node, other, apart) {
  const [dx, dy] = [other.x - node.x, other.y - node.y];
  const far = Math.sqrt(dx * dx + dy * dy) || 0.01;
  const deep = (apart - far) / 2;
  if (deep <= 0) return;
  pushNode(node, (-dx / far) * deep, (-dy / far) * deep);
  pushNode(other, (dx / far) * deep, (dy / far) * deep);
}

/** Boxes that lie on the board for good (ornaments) or travel with a place (labels) push slots and places away. */
function partBoxes(state, discs) {
  const { nodes, size } = state;
  for (const fixed of state.boxes) {
    const owner = fixed.node === undefined ? null : nodes[fixed.node];
    const box = owner ? { ...fixed, x: owner.x + fixed.x, y: owner.y + fixed.y } : fixed;
    for (const disc of discs) {
      if (Math.abs(disc.x - box.x) > box.w / 2 + 20 || Math.abs(disc.y - box.y) > box.h / 2 + 20) continue;
      const gap = discGap(box, disc.x, disc.y, size.h / 2 + size.margin);
      if (gap >= 0) continue;
      const [vx, vy] = away(box, disc, -gap / 2);
      pushDisc(state, disc, vx, vy);
      if (owner) pushNode(owner, -vx * 0.1, -vy * 0.1);
    }
    for (const node of nodes) {
      if (node === owner || Math.abs(node.x - box.x) > box.w / 2 + 20 || Math.abs(node.y - box.y) > box.h / 2 + 20)
        continue;
      const gap = discGap(box, node.x, node.y, size.dot + size.margin);
      if (gap >= 0) continue;
      const [vx, vy] = away(box, node, -gap / 2);
      pushNode(node, vx, vy);
      if (owner) pushNode(owner, -vx, -vy);
    }
  }
}

/** Slots stay inside the neat line. */
function keepInside(state, discs) {
  const rim = state.size.h / 2 + 20;
  for (const disc of discs) {
    const vx = Math.max(rim - disc.x, 0) + Math.min(state.width - rim - disc.x, 0);
    const vy = Math.max(rim - disc.y, 0) + Math.min(state.height - rim - disc.y, 0);
    if (vx || vy) pushDisc(state, disc, vx / 2, vy / 2);
  }
}

/** Labels that lie over each other push their places apart. */
function partLabels({ nodes, boxes }) {
  const labels = boxes.filter((box) => box.node !== undefined);
  labels.forEach((label, i) => {
    const node = nodes[label.node];
    for (const other of labels.slice(i + 1)) {
      const mate = nodes[other.node];
      const [dx, dy] = [mate.x + other.x - node.x - label.x, mate.y + other.y - node.y - label.y];
      const [ox, oy] = [(label.w + other.w) / 2 + 3 - Math.abs(dx), (label.h + other.h) / 2 + 3 - Math.abs(dy)];
      if (ox <= 0 || oy <= 0) continue;
      const [vx, vy] = ox < oy ? [(Math.sign(dx || 1) * ox) / 2, 0] : [0, (Math.sign(dy || 1) * oy) / 2];
      pushNode(node, -vx, -vy);
      pushNode(mate, vx, vy);
    }
  });
}

/** The shortest way out of an upright box, `by` units long. */
function away(box, point, by) {
  const [dx, dy] = [point.x - box.x, point.y - box.y];
  const [ox, oy] = [box.w / 2 - Math.abs(dx), box.h / 2 - Math.abs(dy)];
  return ox < oy ? [Math.sign(dx || 1) * by, 0] : [0, Math.sign(dy || 1) * by];
}

/** Tracks too short for their spaces push their ends apart and bow out; tracks far too long pull a little. */
function fitLengths(state) {
  const { nodes, groups, size } = state;
  for (const group of groups) {
    const [a, b] = [nodes[group.a], nodes[group.b]];
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const chord = Math.sqrt(dx * dx + dy * dy) || 1;
    const least = leastGap(group, group.length, size);
    const need = group.n * (size.w + least) - least + 2 * size.start + group.fromA + group.fromB;
    const most = group.n * (size.w * size.stretch + size.gapLeast) + 2 * size.start + 8;
    let wish = 0;
    if (group.length < need) wish = (need - group.length) / 2;
    else if (group.length > most) wish = (most - group.length) * 0.006;
    a.vx -= (dx / chord) * wish;
    a.vy -= (dy / chord) * wish;
    b.vx += (dx / chord) * wish;
    b.vy += (dy / chord) * wish;
    if (wish > 0) group.vBow += Math.sign(group.bow || group.lean || 1) * wish * 0.3;
  }
}

/** Springs: places to where they truly lie and to what their neighbours do, lines to the straight. */
function settle(state, hold) {
  const { nodes, groups } = state;
  for (const node of nodes) {
    node.vx += (node.x0 - node.x) * hold;
    node.vy += (node.y0 - node.y) * hold;
  }
  for (const { a, b } of groups) {
    const [p, q] = [nodes[a], nodes[b]];
    const [dx, dy] = [q.x - q.x0 - (p.x - p.x0), q.y - q.y0 - (p.y - p.y0)];
    pushNode(p, dx * hold * 0.7, dy * hold * 0.7);
    pushNode(q, -dx * hold * 0.7, -dy * hold * 0.7);
  }
}

/** Moves everything by its wishes, not too far at once, and keeps places inside the frame. */
function step(state, rate, calm) {
  const { nodes, groups, size, width, height, edge } = state;
  const some = (/** @type {number} */ v) => Math.max(-OUT, Math.min(OUT, v * rate));
  for (const node of nodes) {
    node.x = Math.max(edge, Math.min(width - edge, node.x + some(node.vx)));
    node.y = Math.max(edge, Math.min(height - edge, node.y + some(node.vy)));
    node.vx = node.vy = 0;
  }
  for (const group of groups) {
    group.bow = (group.bow + some(group.vBow)) * (1 - 0.01 * calm * group.tracks.length);
    group.skew = (group.skew + some(group.vSkew) * 0.3) * (1 - 0.03 * calm);
    group.fromA = Math.max(0, Math.min(size.far, (group.fromA + some(group.vFromA)) * (1 - 0.01 * calm)));
    group.fromB = Math.max(0, Math.min(size.far, (group.fromB + some(group.vFromB)) * (1 - 0.01 * calm)));
    const most = group.length * 0.32;
    group.bow = Math.max(-most, Math.min(most, group.bow));
    group.vBow = group.vSkew = group.vFromA = group.vFromB = 0;
  }
}

/** Runs the relaxation in place. */
export function relax(state, rounds) {
  for (const group of state.groups) group.vBow = group.vSkew = group.vFromA = group.vFromB = 0;
  for (const node of state.nodes) node.vx = node.vy = 0;
  for (let i = 0; i < rounds; i++) {
    const calm = i / rounds > 0.6 ? 0.15 : 1;
    const discs = discsOf(state);
    partDiscs(state, discs);
    partPlaces(state, discs);
    partBoxes(state, discs);
    partLabels(state);
    keepInside(state, discs);
    fitLengths(state);
    settle(state, state.hold * calm);
    step(state, 0.25, calm);
  }
  discsOf(state);
  return state;
}
