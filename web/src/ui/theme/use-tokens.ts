import { useComputedColorScheme } from "@mantine/core";
import { useMemo } from "react";
import { usePrinting } from "./printing.ts";

const NAMES = {
  page: "--page",
  panel: "--panel",
  line: "--line",
  lineSoft: "--line-soft",
  ink: "--ink",
  ink2: "--ink-2",
  ink3: "--ink-3",
  accent: "--accent",
  accentLine: "--accent-line",
  ghost: "--ghost",
  rest: "--chart-rest",
  font: "--font",
  chart1: "--chart-1",
  chart2: "--chart-2",
  chart3: "--chart-3",
  chart4: "--chart-4",
  chart5: "--chart-5",
  chart6: "--chart-6",
} as const;

export type Tokens = Record<keyof typeof NAMES, string>;

/** The tokens as plain colours of the current scheme, for canvases, which cannot use CSS variables. */
export function useTokens(): Tokens {
  const onScreen = useComputedColorScheme("light");
  const scheme = usePrinting() ? "light" : onScreen;
  return useMemo(() => {
    const tokens = known.get(scheme) ?? readTokens(scheme);
    known.set(scheme, tokens);
    return tokens;
  }, [scheme]);
}

/** Cached per scheme, because reading them makes the browser compute the styles of the whole page. */
const known = new Map<string, Tokens>();

function readTokens(scheme: string): Tokens {
  // Mantine sets the attribute in an effect after this render; the canvas must not lag behind.
  document.documentElement.setAttribute("data-mantine-color-scheme", scheme);
  const style = getComputedStyle(document.documentElement);
  const entries = Object.entries(NAMES).map(([key, name]) => [key, style.getPropertyValue(name).trim()]);
  return Object.fromEntries(entries) as Tokens;
}
