// From relaxed lines to what is drawn: for each track its path and its slots.
import { along, walk } from "./curve.mjs";
import { lanes, spread } from "./relax.mjs";

const DEGREES = 180 / Math.PI;
const tenth = (/** @type {number} */ v) => Math.round(v * 10) / 10;

/** An angle at which a wagon on the line stands upright. */
function upright(turn) {
  let angle = turn * DEGREES;
  if (angle > 90) angle -= 180;
  if (angle <= -90) angle += 180;
  return tenth(angle);
}

/** A smooth path through a walked line, moved sideways. */
function pathOf(line, side) {
  const points = [];
  for (let i = 0; i <= 4; i++) {
    const p = along(line, (line[line.length - 1].far * i) / 4);
    points.push({ x: p.x - Math.sin(p.turn) * side, y: p.y + Math.cos(p.turn) * side });
  }
  let d = `M${tenth(points[0].x)} ${tenth(points[0].y)}`;
  for (let i = 0; i < 4; i++) {
    const [o, p, q, r] = [points[i - 1] ?? points[i], points[i], points[i + 1], points[i + 2] ?? points[i + 1]];
    const c = [p.x + (q.x - o.x) / 6, p.y + (q.y - o.y) / 6, q.x - (r.x - p.x) / 6, q.y - (r.y - p.y) / 6, q.x, q.y];
    d += `C${c.map(tenth).join(" ")}`;
  }
  return d;
}

/** Whether the first lane would be the southern or eastern one; by custom it is the northern or western. */
function backwards(a, b) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  return Math.abs(dx) >= Math.abs(dy) ? dx < 0 : dy > 0;
}

/** Every track of the groups: {id: {d, w, slots: [[x, y, angle], …]}}. */
export function tracksOf({ nodes, groups, size }) {
  const tracks = {};
  for (const group of groups) {
    const line = walk(nodes[group.a], nodes[group.b], group.bow, group.skew);
    const { w, gap, first } = spread(group, line[line.length - 1].far, size);
    const sides = lanes(group, size);
    if (backwards(nodes[group.a], nodes[group.b])) sides.reverse();
    group.tracks.forEach((id, lane) => {
      const slots = [];
      for (let i = 0; i < group.n; i++) {
        const p = along(line, first + i * (w + gap) + w / 2);
        const [x, y] = [p.x - Math.sin(p.turn) * sides[lane], p.y + Math.cos(p.turn) * sides[lane]];
        slots.push([tenth(x), tenth(y), upright(p.turn)]);
      }
      tracks[id] = { d: pathOf(line, sides[lane]), w: tenth(w), slots };
    });
  }
  return tracks;
}
