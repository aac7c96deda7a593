import { limits } from "../index.ts";
import { makeAd } from "../markup/make-ad.ts";

export const runAuction = [limits, makeAd];
