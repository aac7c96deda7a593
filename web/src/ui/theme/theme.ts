import { type CSSVariablesResolver, type MantineColorsTuple, createTheme } from "@mantine/core";

/** Light to dark; shade 7 carries white text at 4.9:1. */
const cyan: MantineColorsTuple = [
  "#e2f5fa",
  "#c9edf6",
  "#97dcec",
  "#62cae2",
  "#38c3e4",
  "#0ea5c9",
  "#0a86a8",
  "#087a9a",
  "#07728f",
  "#055a72",
];

/** Shades from text to page, so that Mantine uses our surfaces in the dark scheme. */
const dark: MantineColorsTuple = [
  "#e6f1f4",
  "#c9dadf",
  "#9fb5bd",
  "#8aa0a9",
  "#33484f",
  "#1d2f37",
  "#0f1c22",
  "#0f1c22",
  "#0a1418",
  "#070f12",
];

/** Maps our sizes, radii and cyan to Mantine; surface colours come from tokens.css. */
export const theme = createTheme({
  primaryColor: "cyan",
  primaryShade: { light: 7, dark: 7 },
  colors: { cyan, dark },
  fontFamily: "var(--font)",
  defaultRadius: 7,
  cursorType: "pointer",
  focusRing: "auto",
  respectReducedMotion: true,
  fontSizes: { xs: "11.5px", sm: "13px", md: "13px", lg: "15px", xl: "17px" },
  components: {
    Button: { defaultProps: { size: "sm" } },
    Popover: { defaultProps: { transitionProps: { duration: 120, transition: "fade" } } },
    Drawer: { defaultProps: { transitionProps: { duration: 180 } } },
  },
});

/** Makes Mantine's surfaces (popovers, inputs, drawers) use tokens.css in both schemes. */
export const cssVariablesResolver: CSSVariablesResolver = () => {
  const surfaces = {
    "--mantine-color-body": "var(--panel)",
    "--mantine-color-text": "var(--ink)",
    "--mantine-color-dimmed": "var(--ink-3)",
    "--mantine-color-placeholder": "var(--ink-3)",
    "--mantine-color-anchor": "var(--accent)",
    "--mantine-color-error": "var(--down)",
    "--mantine-color-default": "var(--panel)",
    "--mantine-color-default-hover": "var(--hover)",
    "--mantine-color-default-color": "var(--ink)",
    "--mantine-color-default-border": "var(--line)",
    // A disabled button keeps its outline, in the dark scheme too.
    "--mantine-color-disabled": "var(--line)",
    "--mantine-color-disabled-color": "var(--ink-3)",
  };
  return { variables: {}, light: surfaces, dark: surfaces };
};
