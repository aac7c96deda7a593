import type { ReactNode } from "react";
import { vi } from "vitest";

// A setup file, as a mock holds for one test file only, while modules, and what they imported, stay for those after it.

interface WordsProps {
  label: string;
  lines?: { name: string; values: unknown[] }[];
  marks?: { id: string; at: number; name: ReactNode }[];
}

/** A chart as its name and the values of its lines, which are not text in a drawing. */
function Words({ label, lines, marks }: WordsProps): ReactNode {
  return (
    <figure aria-label={label}>
      {marks?.map(({ id, at, name }) => (
        <p key={id}>
          {at} {name}
        </p>
      ))}
      {lines?.map(({ name, values }) => (
        <p key={name}>{`${name}: ${values.join(" ")}`}</p>
      ))}
    </figure>
  );
}

vi.mock("../ui/charts/lazy-charts.tsx", () => ({ LazyLineChart: Words, fetchLineChart: () => {} }));
// The outlines of the world are large, and a map's figures are in the list beside it.
vi.mock("../ui/map/lazy-world-map.ts", () => ({ LazyWorldMap: () => null }));
