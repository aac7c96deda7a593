import { throttle } from "../../platform/http/throttle.ts";

/**
 * Passwords that an account has made for its sub-users. They are hashed one after the other: who has them made without end
 * would keep everybody from signing in.
 */
export const generatedPasswordThrottle = () =>
  throttle({ tries: 30, windowSeconds: 300 }, "That were many new passwords. Please wait a little");

/** What a person may do again and again, and is told by mail each time: no mailbox is flooded by it. */
export const toldThrottle = () =>
  throttle({ tries: 10, windowSeconds: 3600 }, "That was often enough for now. Please wait a little");

/** Social sign-ins that are begun in a network. They are kept for a while: nobody begins more of them than people behind it would. */
export const socialThrottle = () => throttle({ tries: 100, windowSeconds: 900 });
