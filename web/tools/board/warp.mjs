// A smooth field that carries the geography along with the places that had to move (thin-plate spline).

const kernel = (/** @type {number} */ r2) => (r2 > 1e-9 ? r2 * Math.log(r2) : 0);

/** Solves a dense linear system for two right-hand sides at once. */
function solve(rows) {
  const n = rows.length;
  for (let i = 0; i < n; i++) {
    let pivot = i;
    for (let k = i + 1; k < n; k++) if (Math.abs(rows[k][i]) > Math.abs(rows[pivot][i])) pivot = k;
    [rows[i], rows[pivot]] = [rows[pivot], rows[i]];
    for (let k = 0; k < n; k++) {
      if (k === i) continue;
      const factor = rows[k][i] / rows[i][i];
      for (let j = i; j < n + 2; j++) rows[k][j] -= factor * rows[i][j];
    }
  }
  return rows.map((row, i) => [row[n] / row[i], row[n + 1] / row[i]]);
}

/**
 * The map of the plane that takes each point `from` near to its `to`; `soft` trades exactness for smoothness.
 * @param {{from: [number, number], to: [number, number]}[]} pins
 * @returns {(x: number, y: number) => [number, number]}
 */
export function warp(pins, soft) {
  const scale = 1000;
  const at = pins.map(({ from }) => [from[0] / scale, from[1] / scale]);
  const n = pins.length;
  const rows = at.map(([x, y], i) => {
    const row = at.map(([u, v], j) => kernel((x - u) ** 2 + (y - v) ** 2) + (i === j ? soft : 0));
    return [...row, 1, x, y, pins[i].to[0] - pins[i].from[0], pins[i].to[1] - pins[i].from[1]];
  });
  for (const side of [() => 1, (p) => p[0], (p) => p[1]]) rows.push([...at.map(side), 0, 0, 0, 0, 0]);
  const weights = solve(rows);
  return (x, y) => {
    const [u, v] = [x / scale, y / scale];
    let [dx, dy] = [0, 1].map((k) => weights[n][k] + weights[n + 1][k] * u + weights[n + 2][k] * v);
    for (let i = 0; i < n; i++) {
      const pull = kernel((u - at[i][0]) ** 2 + (v - at[i][1]) ** 2);
      dx += weights[i][0] * pull;
      dy += weights[i][1] * pull;
    }
    return [x + dx, y + dy];
  };
}
