/** A point of a curve, in the units of its drawing. */
interface Point {
  x: number;
  y: number;
}

/**
 * SVG path data of a monotone cubic spline (Fritsch and Carlson, 1980) through the points, from left to right. It
 * never swings beyond the values, so that no curve shows more than was counted.
 */
export function splinePath(points: readonly Point[]): string {
  const [first] = points;
  if (!first) return "";
  const slopes = slopesOf(points);
  let path = `M${at(first.x, first.y)}`;
  for (let index = 1; index < points.length; index++) {
    const [a, b] = [points[index - 1], points[index]];
    if (!a || !b) break;
    const third = (b.x - a.x) / 3;
    const [from, to] = [slopes[index - 1] ?? 0, slopes[index] ?? 0];
    path += `C${at(a.x + third, a.y + third * from)} ${at(b.x - third, b.y - third * to)} ${at(b.x, b.y)}`;
  }
  return path;
}

/** The slope at each point: zero at a peak or valley, and otherwise the harmonic mean of both sides. */
function slopesOf(points: readonly Point[]): number[] {
  const sides = points.slice(1).map((point, index) => {
    const before = points[index] ?? point;
    return (point.y - before.y) / (point.x - before.x);
  });
  return points.map((_, index) => {
    const [left, right] = [sides[index - 1], sides[index]];
    if (left === undefined || right === undefined) return left ?? right ?? 0;
    return left * right <= 0 ? 0 : (2 * left * right) / (left + right);
  });
}

const at = (x: number, y: number) => `${x.toFixed(1)} ${y.toFixed(1)}`;
