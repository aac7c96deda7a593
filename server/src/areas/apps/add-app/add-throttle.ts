import { throttle, type Throttle } from "../../../platform/http/throttle.ts";

/** Keeps one account from flooding the stores and the moderators. The keys are accounts' ids. */
export interface AddThrottle {
  lookups: Throttle;
  adds: Throttle;
}

export const addThrottle = (): AddThrottle => ({
  lookups: throttle({ tries: 10, windowSeconds: 60 }),
  adds: throttle({ tries: 60, windowSeconds: 3600 }),
});
