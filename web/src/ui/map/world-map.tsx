import { type PointerEvent, useMemo, useState } from "react";
import classes from "./map.module.css";
import { shadeOf } from "./shade-of.ts";
import { MAP_HEIGHT, MAP_WIDTH, worldShapes } from "./world-shapes.ts";

export interface WorldMapProps {
  label: string;
  /** Value by ISO 3166-1 alpha-2 code. */
  values: ReadonlyMap<string, number>;
  nameOf: (code: string) => string;
  format: (value: number) => string;
  /** A country with a value was clicked. */
  onChoose: (code: string) => void;
}

interface Pointed {
  code: string;
  name: string;
  x: number;
  y: number;
}

/** A choropleth of the world. The page shows its figures as text, and links that choose a country, too. */
export function WorldMap({ label, values, nameOf, format, onChoose }: WorldMapProps) {
  const shapes = useMemo(() => worldShapes(), []);
  const most = Math.max(0, ...values.values());
  const [pointed, setPointed] = useState<Pointed | null>(null);

  const point = (event: PointerEvent<SVGSVGElement>) => {
    const code = (event.target as Element).getAttribute("data-code");
    const box = event.currentTarget.getBoundingClientRect();
    if (code === null) setPointed(null);
    else setPointed({ code, name: nameOf(code), x: event.clientX - box.left, y: event.clientY - box.top });
  };

  return (
    <div className={classes.map}>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- by keyboard, the links of the list beside it choose a country */}
      <svg
        viewBox={`0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`}
        role="img"
        aria-label={label}
        onPointerMove={point}
        onPointerLeave={() => setPointed(null)}
        onClick={(event) => {
          const code = (event.target as Element).getAttribute("data-code") ?? "";
          if ((values.get(code) ?? 0) > 0) onChoose(code);
        }}
      >
        {shapes.map((shape) => (
          <path
            key={shape.key}
            d={shape.path}
            data-code={shape.code}
            data-shade={shadeOf(values.get(shape.code) ?? 0, most)}
          />
        ))}
      </svg>
      {pointed ? (
        <div className={classes.tip} style={{ left: pointed.x, top: pointed.y }}>
          <span>{pointed.name}</span>
          <b>{format(values.get(pointed.code) ?? 0)}</b>
        </div>
      ) : null}
    </div>
  );
}
