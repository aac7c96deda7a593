import { z } from "zod";
import { defineCall } from "./define-call.ts";
import { ById } from "./fields.ts";
import { nameField } from "./name-field.ts";
import { serverAddress } from "./server-address.ts";
import { urlOf } from "./url-of.ts";

/** What a user earns with a rewarded ad. */
export const Reward = z.strictObject({
  name: nameField(64).min(1, "This field is required"),
  amount: z.int("Use a whole number").min(1, "At least 1").max(1_000_000_000, "At most 1,000,000,000"),
});
export type Reward = z.infer<typeof Reward>;

/** The parameters of a callback: an address's own query can have none of them. */
const CALLBACK_PARAMETERS: ReadonlySet<string> = new Set([
  "ad_network",
  "ad_unit",
  "app",
  "custom_data",
  "key_id",
  "reward_amount",
  "reward_item",
  "signature",
  "test",
  "timestamp",
  "transaction_id",
  "user_id",
]);

/**
 * Whether a server may read a part of a query (`name=value`) as one of the callback's own parameters, which would then be
 * signed with a value that we have not given. Servers differ: some ignore case, read `user.id` and `user_id[]` as `user_id`,
 * or end a parameter at a semicolon.
 */
export const isCallbackParameter = (part: string): boolean =>
  part.split(";").some((each) => {
    const [name = ""] = new URLSearchParams(each).keys();
    const bare = name.toLowerCase().replace(/\[.*$/s, "");
    return CALLBACK_PARAMETERS.has(bare.replaceAll(/[^a-z0-9]+/g, "_").replaceAll(/^_|_$/g, ""));
  });

const hasOwnNames = (address: string | null): boolean =>
  address === null || urlOf(address)?.search.slice(1).split("&").some(isCallbackParameter) !== true;

/** What a user earns with a rewarded ad, and the address of the publisher's server that is notified of it. */
export const RewardSettings = z.strictObject({
  /** Null for none. Its own query stays in front of the signed one. */
  callback_url: serverAddress("https://game.example/reward").nullable(),
  ...Reward.shape,
});
export type RewardSettings = z.infer<typeof RewardSettings>;

/** Settings as they are saved. Addresses from before this rule may break it; callbacks leave such parameters out. */
export const RewardForm = RewardSettings.extend({
  callback_url: RewardSettings.shape.callback_url.refine(
    hasOwnNames,
    "Give the parameters of the address other names than those of the callback, such as app, test or user_id",
  ),
});

/** How a callback ended: with the status of an answer, or without one. */
export const CALLBACK_FAILURES = ["closed_address", "bad_address", "failed", "timeout", "too_many_redirects"] as const;
export const CallbackOutcome = z.union([z.int(), z.enum(CALLBACK_FAILURES)]);
export type CallbackOutcome = z.infer<typeof CallbackOutcome>;

export const rewardCallbacks = defineCall({
  method: "GET",
  path: "/apps/{id}/reward_callbacks.json",
  summary: "Get what became of the callbacks for rewards: those that ended in the last 24 hours, and those that wait",
  access: "settings.manage",
  params: ById,
  reply: z.object({
    delivered: z.int(),
    /** Not delivered yet; they are sent again. */
    waiting: z.int(),
    /** Given up after a day. */
    failed: z.int(),
    /** How the last try ended that was not delivered; null without one. */
    last_failure: CallbackOutcome.nullable(),
  }),
});

export const sendTestReward = defineCall({
  method: "POST",
  path: "/apps/{id}/reward_callbacks/test",
  summary: "Send a signed callback with test=1 to the app's address, and get how it ended",
  access: "settings.manage",
  params: ById,
  reply: z.object({ delivered: z.boolean(), outcome: CallbackOutcome }),
});

/** In the form that AdMob's verifiers read. */
export const rewardKeys = defineCall({
  method: "GET",
  path: "/reward-keys.json",
  summary: "Get the public keys that verify callbacks for rewards (ECDSA, P-256); cacheable for an hour",
  access: "public",
  reply: z.object({
    keys: z.array(z.object({ keyId: z.int(), pem: z.string(), base64: z.string() })),
  }),
});
