import { throttle } from "../../../platform/http/throttle.ts";

/** Keeps one account from flooding the stores and the moderators. A full count is a Problem `too_many`. */
export interface AddThrottle {
  takeLookup(accountId: number): Promise<void>;
  takeAdd(accountId: number): Promise<void>;
}

export function addThrottle(): AddThrottle {
  const lookups = throttle({ tries: 10, windowSeconds: 60 });
  const adds = throttle({ tries: 60, windowSeconds: 3600 });
  return { takeLookup: lookups.take, takeAdd: adds.take };
}
