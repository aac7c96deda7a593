import { useSyncExternalStore } from "react";

const SCHEME = "data-mantine-color-scheme";
const paper = () => matchMedia("print");

function onChange(listener: () => void): () => void {
  const media = paper();
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
}

/** Whether the page is being printed, for what is not on the screen. */
export const usePrinting = (): boolean =>
  useSyncExternalStore(
    onChange,
    () => paper().matches,
    () => false,
  );

/** Prints in the light scheme, whatever is on the screen, and returns to that afterwards. */
export function printInLight(): void {
  const root = document.documentElement;
  let onScreen: string | null = null;
  onChange(() => {
    if (paper().matches) {
      onScreen = root.getAttribute(SCHEME);
      root.setAttribute(SCHEME, "light");
    } else if (onScreen !== null) {
      root.setAttribute(SCHEME, onScreen);
    }
  });
}
