import { useEffect, useRef, useState } from "react";

const SAID_MS = 2000;

/** Copies a text and says so for a while. Where the browser forbids it, `otherwise` selects the text for the person's own Ctrl+C. */
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
      // Without HTTPS, or where it is forbidden, the browser keeps the clipboard from us.
      otherwise();
      setSaid("Press Ctrl+C to copy");
    }
    timer.current = setTimeout(() => setSaid(""), SAID_MS);
  };
  return [said, copy] as const;
}
