import { useReducedMotion } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";

const ROLL_MS = 180;

/** A live figure that animates to its new value, unless the user prefers reduced motion. */
export function Rolling({ value, format }: { value: number | null; format: (value: number | null) => string }) {
  return <>{format(useRolling(value))}</>;
}

function useRolling(value: number | null): number | null {
  const still = useReducedMotion();
  const [shown, setShown] = useState(value);
  const shownNow = useRef(value);
  useEffect(() => {
    const from = shownNow.current;
    if (from === null || value === null || from === value || still) {
      shownNow.current = value;
      setShown(value);
      return undefined;
    }
    const start = performance.now();
    let frame = requestAnimationFrame(function roll(now) {
      const done = Math.min(1, (now - start) / ROLL_MS);
      // Integers stay integers during the animation, because money and counts are integers.
      const step = from + (value - from) * (1 - (1 - done) ** 3);
      shownNow.current = done === 1 ? value : Number.isInteger(value) ? Math.round(step) : step;
      setShown(shownNow.current);
      if (done < 1) frame = requestAnimationFrame(roll);
    });
    return () => cancelAnimationFrame(frame);
  }, [value, still]);
  return shown;
}
