import { useLocalStorage } from "@mantine/hooks";
import { TABLE_FIGURES, type TableFigure } from "@millrace/contract";
import { useCallback, useMemo } from "react";

const KEY = "millrace-stat-columns";

/** The columns of the statistics tables chosen in this browser; all by default. */
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
      // Choosing all stores nothing, so that columns added later show too.
      keep(chosen.length === TABLE_FIGURES.length ? "" : chosen.join(","));
    },
    [keep],
  );
  return [figures, choose];
}

/** In table order; an empty or unknown choice means all. */
function figuresOf(ids: readonly string[]): readonly TableFigure[] {
  const chosen = TABLE_FIGURES.filter((figure) => ids.includes(figure));
  return chosen.length === 0 ? TABLE_FIGURES : chosen;
}

/** Plain text, parsed as a list of known names, since anyone could have written it. */
const PLAIN = { serialize: (value: string) => value, deserialize: (value: string | undefined) => value ?? "" };
