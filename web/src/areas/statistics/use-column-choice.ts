import { useLocalStorage } from "@mantine/hooks";
import { TABLE_FIGURES, type TableFigure } from "@millrace/contract";
import { useCallback, useMemo } from "react";

const KEY = "millrace-stat-columns";

/** The columns of the statistics tables in this browser: all of them, until somebody chooses. */
export function useColumnChoice(): [readonly TableFigure[], (ids: readonly string[]) => void] {
  const [kept, keep] = useLocalStorage<string>({
    key: KEY,
    defaultValue: "",
    getInitialValueInEffect: false,
    ...PLAIN,
  });
  const figures = useMemo(() => figuresOf(kept.split(",")), [kept]);
  const choose = useCallback(
    (ids: readonly string[]) => {
      const chosen = figuresOf(ids);
      // All of them is no choice: a column that is added later then shows.
      keep(chosen.length === TABLE_FIGURES.length ? "" : chosen.join(","));
    },
    [keep],
  );
  return [figures, choose];
}

/** In the order in which they stand; none, or none that is known, means all. */
function figuresOf(ids: readonly string[]): readonly TableFigure[] {
  const chosen = TABLE_FIGURES.filter((figure) => ids.includes(figure));
  return chosen.length === 0 ? TABLE_FIGURES : chosen;
}

/** Plain text: what stands there is read as a list of known words, whoever wrote it. */
const PLAIN = { serialize: (value: string) => value, deserialize: (value: string | undefined) => value ?? "" };
