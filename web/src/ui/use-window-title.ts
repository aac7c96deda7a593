import { useEffect } from "react";

/** Sets the window's title to that of the page, followed by the product's name. */
export function useWindowTitle(text: string): void {
  useEffect(() => {
    document.title = `${text} · Millrace`;
  }, [text]);
}
