import { useMemo } from "react";
import { encode } from "uqr";
import classes from "./parts.module.css";

/** Modules of quiet around the code, which readers need (ISO/IEC 18004). */
const QUIET = 4;

/** A QR code as a drawing of this page: no image is fetched, so that what it holds goes nowhere. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawn(text), [text]);
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}

function drawn(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: "M", border: QUIET });
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : [])));
  return { size, path: squares.join("") };
}
