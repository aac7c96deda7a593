import { z } from "zod";
import { defineCall } from "./define-call.ts";

/** The kinds of personal data that are withheld as a whole. */
export const PRIVACY_PARTS = ["deviceIds", "userIds", "extendedIds", "address", "location", "profile"] as const;
export type PrivacyPart = (typeof PRIVACY_PARTS)[number];

/** A vendor's declarations on the Global Vendor List: purposes by their legal basis, and special features. */
const DeclaredVendor = z.object({
  name: z.string(),
  consent: z.array(z.int()),
  legitimate_interest: z.array(z.int()),
  flexible: z.array(z.int()),
  special_features: z.array(z.int()),
});

const SignalEffect = z.object({
  /** The law or framework: `TCF`. */
  framework: z.string(),
  signal: z.string(),
  /** False if a partner of this vendor id is not asked. */
  asked: z.boolean(),
  /** Empty if it is not asked. */
  withheld: z.array(z.enum(PRIVACY_PARTS)),
});
export type SignalEffect = z.infer<typeof SignalEffect>;

export const VendorPrivacy = z.object({
  /** Null for a vendor that is on none of the platform's lists. */
  declared: DeclaredVendor.nullable(),
  signals: z.array(SignalEffect),
});
export type VendorPrivacy = z.infer<typeof VendorPrivacy>;

export const vendorPrivacy = defineCall({
  method: "GET",
  path: "/admin/vendor_privacy.json",
  summary:
    "What each privacy signal withholds from a partner of this vendor id, or of none, as the exchange applies it",
  access: "admin",
  query: z.strictObject({ gvl_id: z.coerce.number().int().min(1).max(65_535).optional() }),
  reply: VendorPrivacy,
});
