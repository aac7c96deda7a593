import { rank } from "../../auction/src/index.ts";

export const name = rank;
