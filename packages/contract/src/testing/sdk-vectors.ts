import { z } from "zod";
import { sdkAd, sdkDebug, sdkEvents, sdkInit, sdkPing } from "../index.ts";
import { VECTOR_REQUEST } from "./answer-vectors.ts";

export { debugVectors, type DebugVector } from "./debug-vectors.ts";
export { answerVectors, VECTOR_REQUEST } from "./answer-vectors.ts";
export type { AnswerVector } from "./vector-types.ts";

// The protocol of SDKs for other languages: its JSON Schema, and what an SDK must make of answers. Both are generated from the
// contract and kept in packages/sdk/vectors, which the SDK of each language replays.

const CALLS = { init: sdkInit, ad: sdkAd, ping: sdkPing, events: sdkEvents, debug: sdkDebug };

/** JSON Schema (2020-12) of each call's request and reply. Unknown fields are allowed, because later versions add some. */
export const protocolSchema = () =>
  Object.fromEntries(
    Object.entries(CALLS).map(([name, { method, path, summary, body, reply }]) => [
      name,
      { method, path, summary, request: schemaOf(body), reply: schemaOf(reply) },
    ]),
  );

const schemaOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input" });

/** What an SDK sends, besides its session, version and ids of its own. */
export interface RequestVector {
  name: string;
  device: object;
  consent: object;
  request: object;
  /** The parts of the two requests that are decided by those. */
  sends: { init: object; ad: object };
}

const ID = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";
const DEVICE = { os: "android", osv: "15", ifa: "38400000-8cf0-11bd-b23e-10b96e40000d" };
const { ifa: _ifa, ...WITHOUT_ID } = DEVICE;

/** What an SDK sends: the device's id only if every signal allows it, and what the app gives for a reward. */
export function requestVectors(): RequestVector[] {
  const vector = (
    name: string,
    device: object,
    consent: object,
    sent: object,
    request: object = {},
    more: object = {},
  ) => ({
    name,
    device,
    consent,
    request: { ...VECTOR_REQUEST, ...request },
    sends: {
      init: { platform: "android", device: sent, consent },
      ad: { ...VECTOR_REQUEST, ...more, device: sent, consent },
    },
  });
  const all = [
    vector("without signals the advertising id is sent", DEVICE, {}, DEVICE),
    vector("limited ad tracking", { ...DEVICE, lmt: 1 }, {}, { ...WITHOUT_ID, lmt: 1 }),
    vector("no limit of ad tracking", { ...DEVICE, lmt: 0 }, {}, { ...DEVICE, lmt: 0 }),
    ...[0, 1, 2].map((att_status) =>
      vector(`tracking status ${att_status}`, { ...DEVICE, att_status }, {}, { ...WITHOUT_ID, att_status }),
    ),
    vector("tracking is authorized", { ...DEVICE, att_status: 3 }, {}, { ...DEVICE, att_status: 3 }),
    vector("a child", DEVICE, { coppa: 1 }, WITHOUT_ID),
    vector("an opt-out of sale", DEVICE, { us_privacy: "1YYN" }, WITHOUT_ID),
    vector("no opt-out of sale", DEVICE, { us_privacy: "1YNN" }, DEVICE),
    vector("consent is passed on unchanged", DEVICE, { gdpr: 1, tcf: "CPok", gpp: "DBAA", gpp_sid: [2] }, DEVICE),
    vector(
      "a rewarded ad with a user and data of the app's",
      DEVICE,
      {},
      DEVICE,
      { user_id: "player-7", custom_data: "level=3" },
      { user_id: "player-7", custom_data: "level=3" },
    ),
  ];
  const own = { app: ID, install_id: ID, sdk_version: "1.0.0" };
  for (const { sends } of all) {
    sdkInit.body.parse({ ...sends.init, ...own });
    sdkAd.body.parse({ ...sends.ad, session: "a-session" });
  }
  return all;
}
