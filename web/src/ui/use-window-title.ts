import { useEffect } from "react";

/** Calls the window by the page it shows; the name of the product follows. */
export function useWindowTitle(text: string): void {
  useEffect(() => {
    document.title = `${text} · Millrace`;
  }, [text]);
}
