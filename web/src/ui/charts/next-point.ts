/** The point that a key moves to; undefined for other keys. */
export function nextPoint(key: string, point: number | null, points: number): number | null | undefined {
  if (points === 0) return undefined;
  if (key === "ArrowRight") return Math.min(points - 1, (point ?? -1) + 1);
  if (key === "ArrowLeft") return Math.max(0, (point ?? points) - 1);
  if (key === "Home") return 0;
  if (key === "End") return points - 1;
  return key === "Escape" ? null : undefined;
}
