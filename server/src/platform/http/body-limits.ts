import type { Call } from "@millrace/contract";

/**
 * The most bytes that anybody may send, also to an address where there is nothing: twice what the longest form takes that is open
 * to everybody, such as the sign-up's, with every character escaped.
 */
export const OPEN_BODY_BYTES = 32 * 1024;
const SIGNED_IN_BODY_BYTES = 1024 * 1024;

/** The most bytes of a call's body. More is refused with 413 before it is read, or once it has arrived. */
export function bodyLimitOf({ access, maxBodyBytes }: Call): number {
  if (maxBodyBytes !== undefined) return maxBodyBytes;
  return access === "public" || access === "device" ? OPEN_BODY_BYTES : SIGNED_IN_BODY_BYTES;
}
