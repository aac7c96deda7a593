import { sealer } from "../sealed/sealer.ts";

/** Seals what tests keep sealed. */
export const testSealer = sealer(["a secret that only tests know, of 32 bytes or more"]);
