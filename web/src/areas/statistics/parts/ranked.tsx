import { type ReactNode, useRef, useState } from "react";
import type { BarColor } from "../../../ui/charts/stable-color.ts";
import { RankRows } from "../../../ui/ranks/rank-rows.tsx";
import { Change } from "../../../ui/number/change.tsx";
import { type Valued, largest } from "../largest.ts";
import { METRIC_WORDS, columnFormat } from "../metric-words.ts";
import { changeOf } from "../use-compared.ts";
import classes from "./parts.module.css";

export interface RankedThing extends Valued {
  /** Replaces the name, for example by a link. */
  text?: ReactNode;
  color?: BarColor;
}

interface RankedProps {
  label: string;
  things: readonly RankedThing[];
  figure: "revenue" | "costs" | "impressions";
  /** So many rows are shown at first; the last one sums up the others. */
  shown: number;
  /** The compared period in words; null without a comparison. */
  against: string | null;
}

/** Things by a figure with its change, the largest first. The tail is one row, which opens. */
export function Ranked({ label, things, figure, shown, against }: RankedProps) {
  const [open, setOpen] = useState(false);
  const wasPressed = useRef(false);
  const { exact } = METRIC_WORDS[figure];
  const byId = new Map(things.map((thing) => [thing.id, thing]));
  const rows = largest(things, open ? things.length : shown);
  const format = columnFormat(
    figure,
    rows.map(({ value }) => value),
  );
  // The rest is often the largest.
  const most = Math.max(0, ...rows.map(({ value }) => value));
  const toggle = (text: string) => (
    <button
      type="button"
      className={classes.others}
      aria-expanded={open}
      ref={(button) => {
        // Pressing either button removes it, so the other one takes the focus.
        if (button === null || !wasPressed.current) return;
        wasPressed.current = false;
        button.focus();
      }}
      onClick={() => {
        wasPressed.current = true;
        setOpen(!open);
      }}
    >
      {text}
    </button>
  );
  return (
    <>
      <RankRows
        label={label}
        rows={rows.map(({ id, name, value, before, rest }) => {
          const { text = name, color } = byId.get(id) ?? {};
          const change = before === null ? null : changeOf(figure, value, before);
          return {
            id,
            name: rest ? toggle(name) : text,
            figure: format(value),
            exact: `${name}: ${exact(value)}`,
            percent: most > 0 ? (100 * value) / most : 0,
            ...(color === undefined ? {} : { color }),
            ...(before === null || against === null
              ? {}
              : {
                  change: (
                    <Change
                      text={change}
                      against={against}
                      none="new"
                      // To spend more is neither good nor bad.
                      good={figure === "costs" ? "neither" : "up"}
                    />
                  ),
                }),
            rest,
          };
        })}
      />
      {open ? toggle("Show fewer") : null}
    </>
  );
}
