export type * from "./candidate.ts";
export type * from "./decision.ts";
export * from "./input.ts";
export * from "./reasons.ts";
export * from "./response.ts";
export * from "./trace.ts";
