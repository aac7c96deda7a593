import { type Reply, sdkAd } from "../index.ts";
import type { Answer, AnswerVector } from "./vector-types.ts";

export const VECTOR_HOST = "https://ads.example.com";

export function otherBeacons(name: string) {
  return {
    impression: `${VECTOR_HOST}/beacon/impression?t=${name}`,
    click: `${VECTOR_HOST}/beacon/click?t=${name}`,
    loss: `${VECTOR_HOST}/beacon/loss?t=${name}`,
  };
}

type AdReply = Reply<typeof sdkAd>;
type AdapterStep = Extract<NonNullable<AdReply["steps"]>[number], { type: "adapter" }>;

/** Ordinary answers, and what they lead to. */
interface Ordinary {
  init: Answer;
  reply: AdReply;
  told: NonNullable<AnswerVector["told"]>;
  beacons: string[];
}

const CEDAR: AdapterStep = {
  type: "adapter",
  provider: "line-items",
  item: "3f2c8f0e-0c57-4b6e-9a39-0d4a7c1e5b02",
  adapter: "Cedar",
  params: { placement: "p-1" },
  expected_micros: 3_000_000,
  revenue_micros: 3_000,
  precision: "estimated",
  reward: { name: "coins", amount: 5 },
  beacons: {
    ...otherBeacons("cedar"),
    player: `${VECTOR_HOST}/beacon/player?t=cedar`,
    reward: `${VECTOR_HOST}/beacon/reward?t=cedar`,
  },
};
/** What an SDK with adapters must make of an order that has some. */
export function stepVectors({ init, reply: full, told, beacons: exchanges }: Ordinary): AnswerVector[] {
  const ok = (json: unknown): Answer => ({ status: 200, json });
  const withSteps = { ...full, steps: [CEDAR, { type: "ad", ad: 0 }] satisfies AdReply["steps"] };
  const cedar = otherBeacons("cedar");
  const outcome = (name: string) => `${CEDAR.beacons.player}&e=${name}`;
  const toldOfCedar = { ...told, provider: "line-items", price_micros: 3_000 };
  const shown = ["filled"].map(outcome).concat(cedar.click, CEDAR.beacons.reward ?? "");
  const vector = (
    name: string,
    adapters: AnswerVector["adapters"],
    more: Partial<AnswerVector> = {},
    reply: object = withSteps,
  ): AnswerVector => ({
    name: `steps: ${name}`,
    init,
    ad: ok(reply),
    ...(adapters && { adapters }),
    ends: "loaded",
    told,
    beacons: exchanges,
    ...more,
  });
  const passedOver = (...outcomes: string[]) => ({ beacons: [...exchanges, cedar.loss, ...outcomes.map(outcome)] });
  return [
    vector("without adapters, the ads are the order", undefined, {}, sdkAd.reply.parse(withSteps)),
    vector(
      "the adapter's ad is shown, and each event counts once",
      { Cedar: "fills" },
      {
        told: toldOfCedar,
        beacons: [...shown, cedar.impression],
      },
    ),
    vector(
      "the adapter tells what its seller pays",
      { Cedar: { fills: { paid_micros: 4_250_000 } } },
      {
        told: { ...toldOfCedar, price_micros: 4_250 },
        beacons: [...shown, `${cedar.impression}&paid_micros=4250000`],
      },
    ),
    vector("the adapter has no ad", { Cedar: "no_fill" }, passedOver("no_fill")),
    vector("the adapter throws", { Cedar: "throws" }, passedOver("failed")),
    vector("the adapter never answers", { Cedar: "silent" }, passedOver("timed_out")),
    vector("the adapter's ad cannot be shown", { Cedar: "shows_nothing" }, passedOver("filled", "failed")),
    vector("the app has another adapter alone", { Larch: "fills" }, passedOver("not_registered")),
    vector(
      "only adapters, and none has an ad",
      { Cedar: "no_fill" },
      {
        ends: "no_ad",
        told: undefined,
        beacons: [outcome("no_fill")],
      },
      { ...full, ads: [], steps: [CEDAR] },
    ),
    vector(
      "steps of a later version and faulty ones are passed over",
      { Cedar: "fills" },
      {},
      {
        ...full,
        steps: [
          { type: "later" },
          null,
          { type: "ad", ad: 7 },
          { ...CEDAR, beacons: null },
          { ...CEDAR, beacons: otherBeacons("cedar") },
          { type: "ad", ad: 0 },
        ],
      },
    ),
    vector("they are no list", { Cedar: "fills" }, {}, { ...full, steps: { other: true } }),
  ];
}
