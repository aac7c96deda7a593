import type { KeyboardEvent } from "react";

/** The share of the chart's width, in percent, at which a point of several stands. A single one is in the middle. */
export const percentAcross = (index: number, points: number): number =>
  points < 2 ? 50 : (100 * index) / (points - 1);

/** The point nearest to a share of the chart's width between 0 and 1. */
export const pointNear = (share: number, points: number): number =>
  Math.max(0, Math.min(points - 1, Math.round(share * (points - 1))));

/** Moves to the point that a key stands for; other keys keep their meaning. */
export function moveByKey(
  event: KeyboardEvent,
  point: number | null,
  points: number,
  move: (to: number | null) => void,
): void {
  const next = nextPoint(event.key, point, points);
  if (next === undefined) return;
  event.preventDefault();
  move(next);
}

/** The point that a key moves to; undefined for other keys. */
function nextPoint(key: string, point: number | null, points: number): number | null | undefined {
  if (points === 0) return undefined;
  if (key === "ArrowRight") return Math.min(points - 1, (point ?? -1) + 1);
  if (key === "ArrowLeft") return Math.max(0, (point ?? points) - 1);
  if (key === "Home") return 0;
  if (key === "End") return points - 1;
  return key === "Escape" ? null : undefined;
}
