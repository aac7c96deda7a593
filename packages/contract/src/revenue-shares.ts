import { z } from "zod";
import { defineCall } from "./define-call.ts";
import { ById, Day } from "./fields.ts";
import { TEXTS } from "./texts.ts";

/** The publisher's part of a cleared price, in parts per million; the rest is the platform's fee. */
const SharePpm = z.int().min(0, "Use 0 to 100 percent").max(1_000_000, "Use 0 to 100 percent");

export const RevenueShares = z.object({
  /** The share of today. */
  share_ppm: SharePpm,
  /** The platform's present share, which applies before the first of `shares`. */
  platform_ppm: SharePpm,
  /** The account's own shares, the last one first, each until the next begins. */
  shares: z.array(
    z.object({
      /** The first UTC day with this share. */
      from: Day,
      share_ppm: SharePpm,
      reason: z.string(),
      set_at: z.iso.datetime(),
      /** Whether it is over, applies today, or is to come. */
      when: z.enum(["past", "now", "future"]),
    }),
  ),
});
export type RevenueShares = z.infer<typeof RevenueShares>;

export const revenueShares = defineCall({
  method: "GET",
  path: "/payment/shares.json",
  summary: "Get the account's share of the cleared prices today, and its shares of other days",
  access: "payouts.read",
  reply: RevenueShares,
});

export const adminShares = defineCall({
  method: "GET",
  path: "/admin/users/{id}/shares.json",
  summary: "Get a publisher's share of the cleared prices today, and its shares of other days",
  access: "admin",
  params: ById,
  reply: RevenueShares,
});

export const setShare = defineCall({
  method: "POST",
  path: "/admin/users/{id}/share",
  summary: "Set a publisher's share of the cleared prices from a day after today on; the owner is told by mail",
  access: "admin",
  params: ById,
  body: z.strictObject({
    share_ppm: SharePpm,
    from: Day,
    reason: z.string().trim().min(1, TEXTS.required).max(500),
  }),
  reply: RevenueShares,
});
