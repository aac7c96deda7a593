export * from "./bid-prediction.ts";
export * from "./cell.ts";
export * from "./evidence.ts";
export * from "./expected-price.ts";
export * from "./fit-floor.ts";
export * from "./floor-lift.ts";
export * from "./learned-floor.ts";
export type * from "./random.ts";
