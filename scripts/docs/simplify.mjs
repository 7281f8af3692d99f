/**
 * Smaller pictures that look the same: points of a polyline that lie within 0.4 of a pixel of the line between others are
 * left out (Douglas and Peucker), and coordinates are steps with one decimal.
 */

const TOLERANCE = 0.4;

/** The SVG with its polylines simplified; other paths are left as they are. */
export function simplifySvg(svg) {
  return svg.replace(/ d="(M[^"]*)"/g, (whole, d) => (/[^MLZ\d .-]/.test(d) ? whole : ` d="${simplifyPath(d)}"`));
}

/** Every stretch from M to M, closed or not, by itself. */
function simplifyPath(d) {
  return d
    .split(/(?=M)/)
    .map((stretch) => {
      const closed = stretch.trimEnd().endsWith("Z");
      const points = stretch
        .replace(/[MZ]/g, "")
        .trim()
        .split("L")
        .map((pair) => pair.trim().split(" ").map(Number));
      return `${written(simplify(points))}${closed ? "Z" : ""}`;
    })
    .join("");
}

/** From point to point, in whole tenths: what is rounded is where a point lies, so that nothing adds up. */
function written(points) {
  const tenths = points.map((point) => point.map((value) => Math.round(10 * value)));
  const steps = tenths.slice(1).map(([x, y], k) => `${(x - tenths[k][0]) / 10} ${(y - tenths[k][1]) / 10}`);
  const [[x, y]] = tenths;
  const path = `M${x / 10} ${y / 10}${steps.length === 0 ? "" : `l${steps.join(" ")}`}`;
  // A minus separates as well as a blank does, and no number needs a 0 before its point.
  return path.replace(/ -/g, "-").replace(/(?<!\d)0\./g, ".");
}

/** The points that are needed; the first and the last always are. O(k log k) for most curves of k points. */
export function simplify(points) {
  if (points.length <= 2) return points;
  const needed = new Uint8Array(points.length);
  needed[0] = needed[points.length - 1] = 1;
  const open = [[0, points.length - 1]];
  while (open.length > 0) {
    const [first, last] = open.pop();
    let [furthest, most] = [0, TOLERANCE];
    for (let k = first + 1; k < last; k++) {
      const distance = toSegment(points[k], points[first], points[last]);
      if (distance > most) [furthest, most] = [k, distance];
    }
    if (furthest === 0) continue;
    needed[furthest] = 1;
    open.push([first, furthest], [furthest, last]);
  }
  return points.filter((_, k) => needed[k] === 1);
}

function toSegment([x, y], [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length));
  return Math.hypot(x - ax - share * dx, y - ay - share * dy);
}
