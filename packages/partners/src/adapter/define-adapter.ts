import { type Platform, PLATFORMS } from "@millrace/contract";
import type { BidRequest, Eid, MediaType, User } from "@millrace/openrtb";
import type {
  Adapter,
  AdapterRequest,
  KeysSchema,
  PartnerCalls,
  PartnerError,
  PartnerHttpRequest,
  PartnerSettings,
} from "./adapter.ts";
import { cachedBy } from "./cached-by.ts";
import { type KeysOf, keysBefore, keysOfCall, withSharedKey } from "./call-keys.ts";
import { type ChangeContext, Refusal } from "./changes.ts";
import { compilePlan, failed, type Plan, type PlanParts, type PlanSettings } from "./compile-plan.ts";
import type { Piece } from "./json-texts.ts";
import { limitMediaTypes, type OpenrtbVersion, type PreparedRequest } from "./prepared-request.ts";
import { readBids, type ResponseRules } from "./read-bids.ts";
import { withSchain, withSchainNode } from "./request-changes.ts";
import { limitedTypes, type Part, sells, type Split, splitImps } from "./split-imps.ts";

/** A demand partner's protocol, as far as it is not the standard's. `Keys` has the types of the schema's properties. */
export interface AdapterDefinition<Keys extends object> {
  /** The name of its file, and of the partner in Prebid requests. */
  id: string;
  name: string;
  gvlId?: number;
  /** In the order in which imps are split, if they are. */
  mediaTypes: readonly MediaType[];
  /** All unless given. */
  platforms?: readonly Platform[];
  endpoint: string;
  /** For 2.5, fields that 2.6 added go to their old places, before any change. Undefined: the operator decides, or 2.6. */
  openrtbVersion?: OpenrtbVersion;
  /** Whether the partner needs compressed requests. Undefined: the operator decides. */
  gzip?: boolean;
  keys: Omit<KeysSchema, "type" | "title">;
  /** The names of the platform's own ids, which `plan` finds in `ids`. */
  platformIds?: readonly string[];
  split?: Split;
  keysOf?: KeysOf;
  /** A key that counts for all imps of a request once it is true for one of them. */
  sharedKey?: string;
  maxImps?: number;
  /** Requests bring their own keys, and must not cause hundreds of calls. */
  maxCalls?: number;
  /** Instead of those of OpenRTB over HTTP. Names in lower case. */
  headers?: Readonly<Record<string, string>>;
  /** Headers that depend on the request. Those without a value are left out. */
  requestHeaders?: (request: BidRequest) => Readonly<Record<string, string | undefined>>;
  /** Why this partner cannot be asked for an imp, which has the media types of the call; undefined if it can. */
  refuses?: (imp: BidRequest["imp"][number], request: BidRequest) => string | undefined;
  /** What the keys change: run once for each set of keys, not in auctions. */
  plan?: (keys: Keys, settings: PlanSettings) => PlanParts;
  /** Another body than JSON; its content type is among the headers. */
  encode?: (json: string) => string;
  response?: ResponseRules;
}

/** Makes an adapter. */
export function defineAdapter<Keys extends object = Record<string, unknown>>(
  definition: AdapterDefinition<Keys>,
): Adapter {
  const {
    id,
    name,
    gvlId,
    mediaTypes,
    platforms = PLATFORMS,
    endpoint,
    openrtbVersion,
    gzip,
    split = "single",
  } = definition;
  const keysSchema: KeysSchema = { type: "object", title: name, ...definition.keys };
  // The keys have been checked against the schema, so they have its types.
  const plan = (valid: object, settings: PlanSettings) => definition.plan?.(valid as Keys, settings) ?? {};
  const rulesFor = cachedBy((settings: PartnerSettings): CallRules => {
    const version = openrtbVersion ?? settings.openrtbVersion ?? "2.6";
    // The same object each time, because the sender serialises each headers object once.
    const headers = { ...HEADERS, "x-openrtb-version": version, ...definition.headers, ...settings.headers };
    return {
      version,
      mediaTypes: limitedTypes(mediaTypes, settings.mediaTypes),
      headers,
      // By settings first, because a partner with addresses in several regions has a plan of the same keys for each.
      planOf: cachedBy((keys: object) => compilePlan({ endpoint, keysSchema, headers, plan }, keys, settings)),
    };
  });
  const planFor = (keys: object, settings: PartnerSettings) => rulesFor(settings).planOf(keys);

  function buildRequests(ask: AdapterRequest): PartnerCalls {
    const { settings, imps } = ask;
    const rules = rulesFor(settings);
    const { mediaTypes: types } = rules;
    let error: PartnerError | undefined;
    const parts: Part<Plan>[] = [];
    for (const { imp, keys } of imps) {
      if (!sells(imp, types)) continue;
      const plan = planFor(keys, settings);
      if ("url" in plan) parts.push({ imp, keys, plan, mediaTypes: types });
      else error ??= plan;
    }
    const { sharedKey } = definition;
    const requestedParts =
      sharedKey === undefined ? parts : withSharedKey(parts, sharedKey, (keys) => planFor(keys, settings));
    const calls = splitImps(requestedParts, {
      split,
      mediaTypes: types,
      maxImps: definition.maxImps ?? Infinity,
      maxCalls: definition.maxCalls ?? MAX_CALLS,
    });
    const requests: PartnerHttpRequest[] = [];
    for (const call of calls) {
      const outgoing = buildCall(ask, requestedParts, call, rules);
      if ("url" in outgoing) requests.push(outgoing);
      else error ??= outgoing;
    }
    return requests.length === 0 && error !== undefined ? error : { ok: true, requests };
  }

  function buildCall(
    ask: AdapterRequest,
    all: readonly Part<Plan>[],
    parts: readonly Part<Plan>[],
    { version }: CallRules,
  ): PartnerHttpRequest | PartnerError {
    const { settings } = ask;
    const request = requestTo(id, ask, version);
    // One for all imps of the call, because forty calls make one each in every auction.
    const context: ChangeContext = {
      request,
      ratesToUsd: ask.ratesToUsd,
      tmaxMs: ask.tmaxMs,
      index: 0,
      mediaType: undefined,
      keysBefore: () => keysBefore(all, parts),
    };
    const impIds: string[] = [];
    const texts: Piece[] = [];
    let refusal: string | undefined;
    for (const part of parts) {
      context.index = texts.length;
      context.mediaType = split === "per-imp-media-type" ? part.mediaTypes[0] : undefined;
      const text = impTextOf(ask.request, part, version, context);
      if (text instanceof Refusal) {
        refusal ??= text.message;
        continue;
      }
      impIds.push(part.imp.id);
      texts.push(text);
    }
    if (texts.length === 0) return failed(refusal ?? "there is no imp to ask for");
    const plan = planOfCall(parts, settings);
    if (!("url" in plan)) return plan;
    const body = ask.request.body(texts, version, plan.request, context);
    if (body instanceof Refusal) return failed(body.message);
    return {
      method: "POST",
      url: plan.url,
      headers: definition.requestHeaders
        ? { ...plan.headers, ...sendable(definition.requestHeaders(request)) }
        : plan.headers,
      body: definition.encode ? definition.encode(body.text) : body.text,
      bodyBytes: definition.encode ? undefined : body.bytes,
      gzip: gzip ?? settings.gzip ?? false,
      impIds,
    };
  }

  function impTextOf(
    request: PreparedRequest,
    { imp: { id: impId }, mediaTypes: asked, plan }: Part<Plan>,
    version: OpenrtbVersion,
    context: ChangeContext,
  ): Piece | Refusal {
    if (definition.refuses) {
      const imp = context.request.imp.find((each) => each.id === impId);
      const reason = imp && definition.refuses(limitMediaTypes(imp, asked), context.request);
      if (reason !== undefined) return new Refusal(reason);
    }
    return request.impText({ id: impId, mediaTypes: asked, splice: plan.impSplice(asked) }, version, context);
  }

  /** The plan for all but the imps. Usually they have the same keys. */
  function planOfCall(parts: readonly Part<Plan>[], settings: PartnerSettings): Plan | PartnerError {
    const [first] = parts as [Part<Plan>];
    const keys = keysOfCall(keysSchema, parts, definition.keysOf);
    return keys === first.keys ? first.plan : planFor(keys, settings);
  }

  return {
    id,
    name,
    gvlId,
    mediaTypes,
    platforms,
    keysSchema,
    platformIds: definition.platformIds ?? [],
    endpoint,
    openrtbVersion,
    gzip,
    prepareKeys(keys, settings) {
      const plan = attempt(() => planFor(keys, settings), failed);
      return "url" in plan ? { ok: true } : plan;
    },
    buildRequests: (ask) => attempt(() => buildRequests(ask), failed),
    readResponse: (answer, _call, ask) =>
      attempt(
        () => readBids(answer, ask, definition.response ?? {}, rulesFor(ask.settings).mediaTypes),
        (message) => ({ ok: false, code: "malformed_response", message }),
      ),
  };
}

const MAX_CALLS = 32;

/** The request as this partner sees it: with its own id of the user and its own supply chain, and with the platform's node in that. */
function requestTo(
  adapterId: string,
  { request: prepared, askedAs, settings: { partnerId = adapterId, schainNode, replacesLastNode } }: AdapterRequest,
  version: OpenrtbVersion,
): BidRequest {
  const shared = prepared.of(version);
  const name = askedAs ?? partnerId;
  // Under an alias, it is the same company, which knows the user by the same id.
  const buyeruid = prepared.buyerIdAt(name) ?? prepared.buyerIdAt(partnerId);
  const known = buyeruid === undefined ? shared : { ...shared, user: { ...shared.user, buyeruid } };
  const eids = prepared.eidsFor(name);
  const identified = eids.length === 0 ? known : { ...known, user: withEids(known.user, eids, version) };
  const schain = prepared.chainFor(name);
  const request = schain ? withSchain(identified, schain, version) : identified;
  return schainNode ? withSchainNode(request, schainNode, version, replacesLastNode) : request;
}

function withEids(user: User = {}, eids: readonly Eid[], version: OpenrtbVersion): User {
  const { ext } = user;
  const before = version === "2.6" ? user.eids : ext?.["eids"];
  const all = [...(Array.isArray(before) ? (before as Eid[]) : []), ...eids];
  return version === "2.6" ? { ...user, eids: all } : { ...user, ext: { ...ext, eids: all } };
}

const HEADERS = { "content-type": "application/json;charset=utf-8", accept: "application/json" };

/** Headers that the sender sends unchanged: a device's own texts may have anything in them, and one would cost the whole call. */
function sendable(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const sent: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && /^[\t\x20-\x7e]+$/.test(value)) sent[name] = value;
  }
  return sent;
}

/** What the operator's settings make of a partner's calls, whatever the keys are. */
interface CallRules {
  version: OpenrtbVersion;
  mediaTypes: readonly MediaType[];
  headers: Record<string, string>;
  /** The plan of these keys, which is kept as long as the configuration has both. */
  planOf(keys: object): Plan | PartnerError;
}

/** Adapters handle what strangers send. A mistake in one costs its own call, never the auction. */
function attempt<T>(run: () => T, failure: (message: string) => T): T {
  try {
    return run();
  } catch (error) {
    return failure(`the adapter failed: ${error instanceof Error ? error.message : "unknown"}`);
  }
}
