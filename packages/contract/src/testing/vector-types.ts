/** How `loadAd` ends, after `initialize` with these options: with an ad, or with a code. */
export type End = "loaded" | "bad_reply" | "no_ad" | "disabled" | "refused" | "too_many" | "server";

export interface Answer {
  status: number;
  /** Missing where the answer has no JSON. */
  json?: unknown;
}

/** An app that starts the SDK, loads an ad and, if there is one, shows it and earns its reward. */
export interface AnswerVector {
  name: string;
  init: Answer;
  ad: Answer;
  /**
   * What the app's adapters do, by their names: bring an ad (one that tells its price as CPM), have none, throw, never answer,
   * or bring an ad that cannot be shown. Each ad reports a click, the reward and its end, each of them twice.
   */
  adapters?: Record<
    string,
    "fills" | { fills: { paid_micros: number } } | "no_fill" | "throws" | "silent" | "shows_nothing"
  >;
  ends: End;
  /** Of a loaded ad: what the app is told, and the addresses that are called in the end, in any order. */
  told?: {
    provider: string;
    auction: string;
    price_micros: number;
    precision: "exact" | "estimated";
    country: string;
    reward: { name: string; amount: number };
  };
  beacons?: string[];
}
