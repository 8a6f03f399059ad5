// Shapes of the world as SVG paths, through the projection of a board and the field that carries the land along.
import { geoGraticule, geoPath } from "d3-geo";

/** Collects the lines that d3 draws. */
class Pen {
  lines = [];
  moveTo(x, y) {
    this.lines.push([[x, y]]);
  }
  lineTo(x, y) {
    this.lines.at(-1).push([x, y]);
  }
  closePath() {
    this.lines.at(-1).closed = true;
  }
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
  return Object.assign(
    line.filter((_, k) => keep.has(k)),
    { closed: line.closed },
  );
}

function area(line) {
  return Math.abs(
    line.reduce((sum, [x, y], i) => {
      const [u, v] = line[(i + 1) % line.length];
      return sum + x * v - y * u;
    }, 0) / 2,
  );
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
  const short = steps
    .join(" ")
    .replace(/(^|[ -])0\./g, "$1.")
    .replace(/ -/g, "-");
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
      .map((line) =>
        Object.assign(
          line.map(([x, y]) => bend(...affine(x, y))),
          { closed: line.closed },
        ),
      )
      .filter((line) => !line.closed || area(line) >= smallest)
      .map((line) => thin(line, slack))
      .filter((line) => line.length > (line.closed ? 3 : 1));
    return pathString(lines);
  };
}

/** The lines of longitude and latitude of a board, a few degrees beyond its extent. */
export function graticuleOf({ extent: [west, south, east, north], degrees }, beyond = 20) {
  return geoGraticule()
    .extent([
      [west - beyond, south - beyond],
      [east + beyond, north + beyond],
    ])
    .step([degrees, degrees])
    .precision(1)();
}
