import type { Annotation } from "@millrace/contract";

/** More marks than this would hide the line. */
const MOST_MARKS = 8;

export interface PlacedAnnotation {
  id: string;
  /** The index of the chart's point during which it happened. */
  at: number;
  annotation: Annotation;
  /** How many apps had the same change then. */
  apps: number;
}

/**
 * The newest annotations at the points of a chart: at the last point that begins before them. The same change of several
 * apps at one point, such as a new version of the SDK, is one mark.
 */
export function placeAnnotations(annotations: readonly Annotation[], dates: readonly string[]): PlacedAnnotation[] {
  const starts = dates.map((date) => Date.parse(date.length === 10 ? `${date}T00:00:00Z` : date));
  const placed = new Map<string, PlacedAnnotation>();
  const apps = new Map<string, Set<string>>();
  for (const annotation of annotations) {
    const atMs = Date.parse(annotation.at);
    const at = starts.findLastIndex((start) => start <= atMs);
    if (at === -1) continue;
    const id = `${at} ${annotation.kind} ${annotation.text}`;
    const uuids = (apps.get(id) ?? new Set()).add(annotation.app.uuid);
    apps.set(id, uuids);
    placed.set(id, { id, at, annotation, apps: uuids.size });
  }
  return [...placed.values()].slice(-MOST_MARKS);
}
