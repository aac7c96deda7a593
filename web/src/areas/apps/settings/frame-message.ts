import { z } from "zod";
import { HELP_ADDRESS } from "../../../shared/paths.ts";

const FrameMessage = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("hash"), hash: z.string().regex(/^#[\w-]{1,64}$/) }),
  z.strictObject({ type: z.literal("redirect"), url: z.string().min(1).max(2048) }),
]);

/** Messages that the instructions may send to the page around them. */
export type FrameWish =
  | { kind: "hash"; hash: string }
  /** One of the dashboard's pages. */
  | { kind: "page"; path: string }
  /** A page of the help, or an address of another site, such as a partner's consent page. */
  | { kind: "leave"; url: string };

/** Reads a message of the instructions' frame; null if it is malformed or links to neither our pages nor https. */
export function readFrameMessage(data: unknown, origin: string): FrameWish | null {
  const message = FrameMessage.safeParse(data).data;
  if (message === undefined) return null;
  if (message.type === "hash") return { kind: "hash", hash: message.hash };
  if (!URL.canParse(message.url, origin)) return null;
  const url = new URL(message.url, origin);
  if (url.origin === origin) {
    // A path starting with two slashes would name another host.
    if (url.pathname.startsWith("//")) return null;
    if (url.pathname.startsWith(HELP_ADDRESS)) return { kind: "leave", url: url.href };
    return { kind: "page", path: url.pathname + url.search + url.hash };
  }
  return url.protocol === "https:" && url.username === "" && url.password === ""
    ? { kind: "leave", url: url.href }
    : null;
}
