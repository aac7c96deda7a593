import { sealer } from "../sealed/sealer.ts";

/** The sealer of the tests. */
export const testSealer = sealer(["a secret that only tests know, of 32 bytes or more"]);
