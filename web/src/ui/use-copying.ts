import { useEffect, useRef, useState } from "react";

const SAID_MS = 2000;

/** Copies a text and confirms it for a while. If the browser forbids it, `otherwise` selects the text for Ctrl+C. */
export function useCopying(otherwise: () => void) {
  const [said, setSaid] = useState<"" | "Copied" | "Press Ctrl+C to copy">("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (text: string) => {
    clearTimeout(timer.current);
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      // The clipboard is not available without HTTPS or permission.
      otherwise();
      setSaid("Press Ctrl+C to copy");
    }
    timer.current = setTimeout(() => setSaid(""), SAID_MS);
  };
  return [said, copy] as const;
}
