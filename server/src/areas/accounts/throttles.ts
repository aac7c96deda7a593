import { throttle } from "../../platform/http/throttle.ts";

/**
 * Limits the passwords that an account generates for its sub-users. They are hashed one after another, so an unlimited
 * number would delay every sign-in.
 */
export const generatedPasswordThrottle = () =>
  throttle({ tries: 30, windowSeconds: 300 }, "Too many new passwords. Please wait a little");

/** Limits acts that send the user a mail each time, so that a mailbox cannot be flooded. */
export const noticeThrottle = () =>
  throttle({ tries: 10, windowSeconds: 3600 }, "Too many requests. Please wait a little");

/** Limits the social sign-ins begun from one IP network. Each is stored for a while. */
export const socialThrottle = () => throttle({ tries: 100, windowSeconds: 900 });
