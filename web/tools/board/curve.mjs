// The line of a track: a straight chord with a bow and a skew, so that it stays smooth whatever pushes it.

const STEPS = 24;

/** The point at t of the line from a to b. @param {{x: number, y: number}} a @param {{x: number, y: number}} b */
export function pointAt(a, b, bow, skew, t) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = Math.hypot(dx, dy) || 1;
  const off = (4 * bow + 10 * skew * (1 - 2 * t)) * t * (1 - t);
  return { x: a.x + dx * t - (dy / length) * off, y: a.y + dy * t + (dx / length) * off };
}

/** The line as points with the distance walked so far. */
export function walk(a, b, bow, skew) {
  const points = [];
  let far = 0;
  for (let i = 0; i <= STEPS; i++) {
    const t = i / STEPS;
    const p = pointAt(a, b, bow, skew, t);
    if (i > 0) far += Math.sqrt((p.x - points[i - 1].x) ** 2 + (p.y - points[i - 1].y) ** 2);
    points.push({ x: p.x, y: p.y, t, far });
  }
  return points;
}

/** The point and direction after `far` units of a walked line. */
export function along(points, far) {
  let i = Math.max(1, Math.min(points.length - 1, Math.floor((far / points[points.length - 1].far) * STEPS)));
  while (i > 1 && points[i - 1].far > far) i--;
  while (i < points.length - 1 && points[i].far < far) i++;
  const [p, q] = [points[i - 1], points[i]];
  const part = (far - p.far) / (q.far - p.far || 1);
  const [dx, dy] = [q.x - p.x, q.y - p.y];
  return { x: p.x + dx * part, y: p.y + dy * part, t: p.t + (q.t - p.t) * part, turn: Math.atan2(dy, dx) };
}
