// Plane geometry the tools and their tests share: oriented boxes and discs, with their distances.

/**
 * A box of w × h about (x, y), turned by `angle` degrees.
 * @typedef {{x: number, y: number, w: number, h: number, angle: number}} Box
 */

/** @param {Box} box @returns {[number, number][]} */
export function corners({ x, y, w, h, angle }) {
  const turn = (angle * Math.PI) / 180;
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  return [
    [-w, -h],
    [w, -h],
    [w, h],
    [-w, h],
  ].map(([u, v]) => [x + (u * c - v * s) / 2, y + (u * s + v * c) / 2]);
}

/** How far two boxes are apart along their best separating axis; negative when they overlap. @param {Box} a @param {Box} b */
export function boxGap(a, b) {
  const [p, q] = [corners(a), corners(b)];
  let gap = -Infinity;
  for (const degrees of [a.angle, a.angle + 90, b.angle, b.angle + 90]) {
    const turn = (degrees * Math.PI) / 180;
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    const along = (/** @type {[number, number][]} */ points) => points.map(([x, y]) => x * c + y * s);
    const [u, v] = [along(p), along(q)];
    gap = Math.max(gap, Math.min(...u) - Math.max(...v), Math.min(...v) - Math.max(...u));
  }
  return gap;
}

/** The same for two upright boxes, at once. @param {Box} a @param {Box} b */
export function uprightGap(a, b) {
  return Math.max(Math.abs(a.x - b.x) - (a.w + b.w) / 2, Math.abs(a.y - b.y) - (a.h + b.h) / 2);
}

/** How far a disc is from a box; negative when they overlap. @param {Box} box */
export function discGap(box, x, y, radius) {
  const turn = (-box.angle * Math.PI) / 180;
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const [u, v] = [(x - box.x) * c - (y - box.y) * s, (x - box.x) * s + (y - box.y) * c];
  const [dx, dy] = [Math.abs(u) - box.w / 2, Math.abs(v) - box.h / 2];
  const outside = Math.hypot(Math.max(dx, 0), Math.max(dy, 0));
  return outside + Math.min(Math.max(dx, dy), 0) - radius;
}
