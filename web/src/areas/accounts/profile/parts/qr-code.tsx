import { useMemo } from "react";
import { encode } from "uqr";
import classes from "./parts.module.css";

/** Width of the quiet zone, in modules, which readers need (ISO/IEC 18004). */
const QUIET = 4;

/** A QR code drawn in the page. No image is fetched, so its content never leaves the browser. */
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
