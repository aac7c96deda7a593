import { RateLimiterMemory } from "rate-limiter-flexible";
import { takePoint } from "../../../platform/http/take-point.ts";

/** Counts a password that is made for a sub-user; a Problem `too_many` says when to come back. */
export type MadePasswordsThrottle = (accountId: number) => Promise<void>;

/** Passwords are hashed one after the other: who has them made without end would keep everybody from signing in. */
export function madePasswordsThrottle(limits = { perAccount: 30, windowSeconds: 300 }): MadePasswordsThrottle {
  const limiter = new RateLimiterMemory({ points: limits.perAccount, duration: limits.windowSeconds });
  return (accountId) => takePoint(limiter, accountId, "That were many new passwords. Please wait a little");
}
