import { useEffect, useRef, useState } from "react";

const SAID_MS = 2000;

/** Copies a text and confirms it for a while. If the browser forbids it, `otherwise` selects the text for Ctrl+C. */
export function useCopying(otherwise: () => void) {
  const [status, setStatus] = useState<"" | "Copied" | "Press Ctrl+C to copy">("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (text: string) => {
    clearTimeout(timer.current);
    try {
      await navigator.clipboard.writeText(text);
      setStatus("Copied");
    } catch {
      // The clipboard is not available without HTTPS or permission.
      otherwise();
      setStatus("Press Ctrl+C to copy");
    }
    timer.current = setTimeout(() => setStatus(""), SAID_MS);
  };
  return [status, copy] as const;
}
