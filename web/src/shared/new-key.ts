import { useRef } from "react";

/** A random UUID (version 4) for something that must be done once. Also where crypto.randomUUID is missing: on pages without TLS. */
export function newKey(): string {
  const digits = crypto.getRandomValues(new Uint8Array(32));
  let at = 0;
  return "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx".replaceAll(/[xy]/g, (place) => {
    const digit = (digits[at++] ?? 0) & 15;
    return (place === "x" ? digit : (digit & 3) | 8).toString(16);
  });
}

/**
 * Sends what a form adds with a key, so that it is added once: with the same key until that has succeeded, as after a lost reply,
 * and then, or for another `thing`, with another one.
 */
export function useAddOnce() {
  const last = useRef({ thing: "", key: "" });
  return async <Reply>(send: (key: string) => Promise<Reply>, thing = ""): Promise<Reply> => {
    if (last.current.key === "" || last.current.thing !== thing) last.current = { thing, key: newKey() };
    const reply = await send(last.current.key);
    last.current.key = "";
    return reply;
  };
}
