import type { z } from "zod";
import { type Ad, type Reply, sdkAd, sdkInit } from "../index.ts";
import type { Answer, AnswerVector, End } from "./vector-types.ts";
import { otherBeacons, stepVectors, VECTOR_HOST } from "./step-vectors.ts";

const AUCTION = "0b8f0a0e-5a5e-4d0c-9c53-6f6b1f0f7a11";
export const VECTOR_REQUEST = { zone: "extra_life", format: "rewarded" } as const;

const INIT: Required<Omit<Reply<typeof sdkInit>, "disabled">> = {
  session: "a-session",
  session_timeout_seconds: 1800,
  latest_sdk_version: "1.0.0",
  formats: ["rewarded"],
  zones: [{ zone: "extra_life", name: "Extra life", format: "rewarded", refresh_seconds: 30 }],
  ping_seconds: 30,
};
const AN_AD: Required<Ad> = {
  provider: "north",
  format: "rewarded",
  markup: { type: "vast", content: '<VAST version="4.2"></VAST>' },
  w: 360,
  h: 640,
  revenue_micros: 12_345,
  precision: "estimated",
  reward: { name: "coins", amount: 5 },
  expected_micros: 2_000_000,
  beacons: {
    impression: `${VECTOR_HOST}/beacon/impression?t=a`,
    click: `${VECTOR_HOST}/beacon/click?t=a`,
    loss: `${VECTOR_HOST}/beacon/loss?t=a`,
    reward: `${VECTOR_HOST}/beacon/reward?t=a`,
  },
};
const FULL: Required<Omit<Reply<typeof sdkAd>, "disabled" | "nbr" | "reason" | "steps">> = {
  auction: AUCTION,
  ads: [AN_AD],
  refresh_seconds: 30,
  country: "DE",
  expires_seconds: 1500,
};

type Faults = readonly [missing: End, isNull: End, isWrong: End];
const NEEDED: Faults = ["bad_reply", "bad_reply", "bad_reply"];
const SPARED: Faults = ["loaded", "loaded", "loaded"];
/** The ad is left out, and there is no other. */
const SKIPPED: Faults = ["no_ad", "no_ad", "no_ad"];

// What an answer without a field, with null and with an object of another shape in it leads to. Each field of the contract is
// here, so that a new one needs a decision.
const INIT_FAULTS: Record<keyof Reply<typeof sdkInit>, Faults> = {
  session: NEEDED,
  session_timeout_seconds: NEEDED,
  latest_sdk_version: SPARED,
  formats: SPARED,
  zones: NEEDED,
  ping_seconds: NEEDED,
  disabled: SPARED,
};
const REPLY_FAULTS: Record<keyof Reply<typeof sdkAd>, Faults> = {
  auction: NEEDED,
  ads: NEEDED,
  // Only an SDK with adapters reads them.
  steps: SPARED,
  nbr: SPARED,
  reason: SPARED,
  refresh_seconds: SPARED,
  country: SPARED,
  expires_seconds: SPARED,
  disabled: SPARED,
};
const AD_FAULTS: Record<keyof Ad, Faults> = {
  provider: SKIPPED,
  format: SPARED,
  markup: SKIPPED,
  w: ["loaded", "loaded", "no_ad"],
  h: ["loaded", "loaded", "no_ad"],
  revenue_micros: SKIPPED,
  precision: SPARED,
  reward: SPARED,
  expected_micros: SPARED,
  beacons: SKIPPED,
};

const ok = (json: unknown): Answer => ({ status: 200, json });
const TOLD = {
  provider: "north",
  auction: AUCTION,
  price_micros: 12_345,
  precision: "estimated",
  country: "DE",
  reward: { name: "coins", amount: 5 },
} as const;
const BEACONS = [AN_AD.beacons.impression, AN_AD.beacons.reward ?? ""];

/** One vector for each way in which a field can be wrong. */
function faultsOf<Field extends string>(
  where: string,
  faults: Record<Field, Faults>,
  vector: (change: (honest: object) => object, ends: End, field: Field) => Omit<AnswerVector, "name" | "ends">,
): AnswerVector[] {
  return (Object.entries(faults) as [Field, Faults][]).flatMap(([field, ends]) =>
    (["missing", "null", "of another type"] as const).map((fault, nth) => {
      const end = ends[nth] ?? "bad_reply";
      const change = (honest: object) => {
        const { [field]: _, ...others } = honest as Record<string, unknown>;
        return nth === 0 ? others : { ...others, [field]: nth === 1 ? null : { other: true } };
      };
      return { name: `${where}: ${field} is ${fault}`, ends: end, ...vector(change, end, field) };
    }),
  );
}

/** What the app is told if a field is unusable: the SDK's own default. */
const DEFAULTS: Partial<Record<string, Partial<NonNullable<AnswerVector["told"]>>>> = {
  country: { country: "XX" },
  precision: { precision: "exact" },
  reward: { reward: { name: "reward", amount: 1 } },
};
const toldOf = (end: End, field: string) =>
  end === "loaded" ? { told: { ...TOLD, ...DEFAULTS[field] }, beacons: BEACONS } : {};

/** What an SDK must make of answers: valid ones, faulty ones, and those of others. */
export function answerVectors(): AnswerVector[] {
  const minimal = { ...FULL, ads: [withoutOptional(AN_AD)] };
  return [
    { name: "everything that an answer may have", init: ok(INIT), ad: ok(valid(sdkAd.reply, FULL)), ...loaded() },
    {
      name: "only what an answer must have",
      init: ok(valid(sdkInit.reply, INIT)),
      ad: ok(valid(sdkAd.reply, minimal)),
      ends: "loaded",
      told: { ...TOLD, precision: "exact", reward: { name: "reward", amount: 1 } },
      beacons: [AN_AD.beacons.impression],
    },
    {
      name: "fields of a later version",
      init: ok({ ...INIT, later: { any: [1] } }),
      ad: ok({ ...FULL, later: null, ads: [{ ...AN_AD, later: true }] }),
      ...loaded(),
    },
    {
      name: "a kind of markup of a later version is passed over, and reported as a loss",
      init: ok(INIT),
      ad: ok({
        ...FULL,
        ads: [
          { ...AN_AD, provider: "later", markup: { type: "later", content: "x" }, beacons: otherBeacons("later") },
          AN_AD,
        ],
      }),
      ...loaded(),
      beacons: [...BEACONS, otherBeacons("later").loss],
    },
    { name: "no ad", init: ok(INIT), ad: ok(valid(sdkAd.reply, { ...FULL, ads: [], nbr: 0 })), ends: "no_ad" },
    { name: "switched off at the start", init: ok({ ...INIT, disabled: true }), ad: ok(FULL), ends: "disabled" },
    { name: "switched off with an ad", init: ok(INIT), ad: ok({ ...FULL, disabled: true }), ends: "disabled" },
    ...([null, [], "text", 7, true, undefined] as const).map((json): AnswerVector => ({
      name: `an answer that is ${json === undefined ? "no JSON" : JSON.stringify(json)}`,
      init: ok(INIT),
      ad: json === undefined ? { status: 200 } : ok(json),
      ends: "bad_reply",
    })),
    ...(
      [
        [204, "bad_reply"],
        [302, "bad_reply"],
        [400, "refused"],
        [403, "refused"],
        [429, "too_many"],
        [500, "server"],
        [503, "server"],
      ] as const
    ).map(([status, ends]): AnswerVector => ({
      name: `status ${status} at the start`,
      init: { status },
      ad: ok(FULL),
      ends,
    })),
    ...stepVectors({ init: ok(INIT), reply: FULL, told: TOLD, beacons: BEACONS }),
    ...faultsOf("init", INIT_FAULTS, (change, end, field) => ({
      init: ok(change(INIT)),
      ad: ok(FULL),
      ...toldOf(end, field),
    })),
    ...faultsOf("ad reply", REPLY_FAULTS, (change, end, field) => ({
      init: ok(INIT),
      ad: ok(change(FULL)),
      ...toldOf(end, field),
    })),
    ...faultsOf("ad", AD_FAULTS, (change, end, field) => ({
      init: ok(INIT),
      ad: ok({ ...FULL, ads: [change(AN_AD)] }),
      ...toldOf(end, field),
    })),
  ];
}

const loaded = () => ({ ends: "loaded", told: TOLD, beacons: BEACONS }) as const;
function withoutOptional(ad: Required<Ad>): Ad {
  const { precision: _precision, reward: _reward, expected_micros: _expected, beacons, ...always } = ad;
  const { reward: _, ...calls } = beacons;
  return { ...always, beacons: calls };
}

/** Throws unless the contract allows it. */
function valid<S extends z.ZodType>(schema: S, value: z.input<S>): z.input<S> {
  schema.parse(value);
  return value;
}
