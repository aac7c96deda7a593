import { z } from "zod";

const Pixels = z.coerce.number().min(0).max(10_000);
const PayoutMessage = z.union([
  // As Tipalti's frame reports its size.
  z.object({ TipaltiIframeInfo: z.object({ width: Pixels.optional(), height: Pixels.optional() }) }),
  z.object({ payoutDetails: z.literal("saved") }),
]);

/** Room for the frame's border and scroll bars. */
const ROOM = 25;

export interface FrameSize {
  width?: number;
  height?: number;
}

/** Reads a message of the payout provider's frame; null if it says nothing that we heed. */
export function readPayoutMessage(data: unknown): { size?: FrameSize; isSaved?: boolean } | null {
  const message = PayoutMessage.safeParse(data).data;
  if (!message) return null;
  if ("payoutDetails" in message) return { isSaved: true };
  const { width, height } = message.TipaltiIframeInfo;
  return {
    size: {
      ...(width !== undefined && { width: width + ROOM }),
      ...(height !== undefined && { height: height + ROOM }),
    },
  };
}
