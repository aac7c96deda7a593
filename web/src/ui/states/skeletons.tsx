import classes from "./states.module.css";

/** A grey bar in place of text. Sizes are CSS lengths. */
export function SkeletonBar({
  width = "100%",
  height = "12px",
  round,
}: {
  width?: string;
  height?: string;
  round?: boolean;
}) {
  return <span className={classes.bar} data-round={round ? "" : undefined} style={{ width, height }} />;
}

const WIDTHS = ["62%", "74%", "55%", "68%", "48%"] as const;
const widthAt = (row: number): string => WIDTHS[row % WIDTHS.length] ?? WIDTHS[0];

/** A list of rows: a mark, two lines and a figure. */
export function RowsSkeleton({ rows, height = 45, mark = false }: { rows: number; height?: number; mark?: boolean }) {
  return (
    <div>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={classes.barRow} style={{ height }}>
          {mark ? <SkeletonBar width="22px" height="22px" /> : null}
          <span className={classes.grow}>
            <SkeletonBar width={widthAt(row)} />
          </span>
          <SkeletonBar width="56px" />
        </div>
      ))}
    </div>
  );
}

/** An area chart's silhouette. */
export function ChartSkeleton({ height }: { height: number }) {
  return (
    <svg className={classes.chartBar} viewBox="0 0 100 40" preserveAspectRatio="none" style={{ height }}>
      <path d="M0 24C8 12 14 12 22 20S36 30 44 20 58 6 66 14 80 26 88 14L100 6V40H0Z" />
    </svg>
  );
}

/** A rough map of the world. */
export function MapSkeleton({ height }: { height: number }) {
  return <span className={classes.globe} style={{ height }} />;
}

/** A table with a head and the given rows and columns. */
export function TableSkeleton({
  rows,
  columns,
  rowHeight = 34,
}: {
  rows: number;
  columns: number;
  rowHeight?: number;
}) {
  return (
    <div>
      {Array.from({ length: rows + 1 }, (_, row) => (
        <div key={row} className={classes.barRow} style={{ height: row === 0 ? 33 : rowHeight }}>
          <span className={classes.grow}>
            <SkeletonBar width={row === 0 ? "48px" : widthAt(row)} height={row === 0 ? "9px" : "12px"} />
          </span>
          {Array.from({ length: columns - 1 }, (_, column) => (
            <SkeletonBar key={column} width="56px" height={row === 0 ? "9px" : "12px"} />
          ))}
        </div>
      ))}
    </div>
  );
}
