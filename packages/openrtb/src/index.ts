export type * from "./audience.ts";
export type * from "./bid-request.ts";
export type * from "./bid-response.ts";
export type * from "./inventory.ts";
export type * from "./media.ts";
export * from "./lists.ts";
export * from "./media-type.ts";
