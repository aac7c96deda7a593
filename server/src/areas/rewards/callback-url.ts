import { isCallbackParameter } from "@millrace/contract";
import { percentEncode } from "@millrace/openrtb";
import { type RewardKey, signatureOf } from "./reward-keys.ts";

/** A reward that a user has earned, for the publisher's server. */
export interface EarnedReward {
  appId: number;
  /** Signed, so that no callback of another app passes for one of this app. */
  appUuid: string;
  /** The address in the app's settings. */
  callbackUrl: string;
  /** The same for each report of one impression's reward. */
  transactionId: string;
  provider: string;
  zone: string;
  name: string;
  amount: number;
  /** As given by the app; empty if it gives none. */
  userId: string;
  customData: string;
  earnedAtMs: number;
}

/**
 * The address to call, with AdMob's parameters of a server-side verification and the app: all but `signature` and `key_id`
 * are signed, as they stand in the query, the address's own ones included. `isTest` adds `test=1`.
 */
export function callbackUrl(key: RewardKey, reward: EarnedReward, { isTest = false } = {}): string {
  const { callbackUrl: address, appUuid, provider, zone, customData, amount, name } = reward;
  const { earnedAtMs, transactionId, userId } = reward;
  const facts = Object.entries({
    ad_network: provider,
    ad_unit: zone,
    app: appUuid,
    ...(customData !== "" && { custom_data: customData }),
    reward_amount: String(amount),
    reward_item: name,
    ...(isTest && { test: "1" }),
    timestamp: String(earnedAtMs),
    transaction_id: transactionId,
    ...(userId !== "" && { user_id: userId }),
  });
  const url = new URL(address);
  // An address may be older than the rule that its parameters have names of their own.
  const own = url.search.slice(1).split("&");
  const query = [
    ...own.filter((part) => part !== "" && !isCallbackParameter(part)),
    ...facts.map(([field, value]) => `${field}=${percentEncode(value)}`),
  ];
  // Parsed before it is signed, so that these are the very bytes that are sent.
  url.search = query.join("&");
  const signed = url.search.slice(1);
  return `${url.href}&signature=${signatureOf(key, signed)}&key_id=${key.keyId}`;
}
