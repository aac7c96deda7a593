import { count } from "../../units/src/index.ts";

export const all = [count];
