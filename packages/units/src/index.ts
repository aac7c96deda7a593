export * from "./comparison.ts";
export * from "./days.ts";
export * from "./format-number.ts";
export * from "./format-time.ts";
export * from "./formulas.ts";
export * from "./revenue-change.ts";
export * from "./shown-parts.ts";
