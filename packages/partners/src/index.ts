export * from "./partner.ts";
export type * from "./prepared-request.ts";
