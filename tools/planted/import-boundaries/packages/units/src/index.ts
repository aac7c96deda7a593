import { missing } from "./missing.ts";

export const count = missing;
