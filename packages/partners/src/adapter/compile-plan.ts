import { type BidRequest, type Imp, MEDIA_TYPES, type MediaType } from "@millrace/openrtb";
import type { KeysSchema, PartnerError, PartnerSettings } from "./adapter.ts";
import { cachedBy } from "./cached-by.ts";
import { compileChanges, ExtFields, type ImpChanges, type RequestChanges, type Splice } from "./changes.ts";
import { checkKeys, keysBySchema } from "./check-keys.ts";
import { type AddressParts, fillEndpoint } from "./endpoint.ts";
import { floorChanges, withStreamFloors } from "./imp-changes.ts";

/** What an adapter makes of a publisher's keys. */
export interface PlanParts extends AddressParts {
  /** Instead of the partner's address. */
  endpoint?: string | undefined;
  imp?: ImpChanges | undefined;
  request?: RequestChanges | undefined;
}

/** What a plan may use besides the keys. */
export interface PlanSettings {
  /** The operator's endpoint, or the partner's own. */
  endpoint: string;
  /** The platform's own ids at the partner. */
  ids: Readonly<Record<string, string>>;
  /** The keys under the names that the publisher used: `keys` has those of the schema. */
  typed: object;
}

/** An adapter's part of the compilation. */
export interface PlanSource {
  endpoint: string;
  keysSchema: KeysSchema;
  headers: Record<string, string>;
  plan(keys: object, settings: PlanSettings): PlanParts;
}

/** Keys compiled for auctions: all that is the same in each of them. */
export interface Plan {
  url: string;
  headers: Record<string, string>;
  /** An imp's changes, by the media types that a call asks of it, which are cached by that list. */
  impSplice(mediaTypes: readonly MediaType[]): Splice<Imp>;
  request: Splice<BidRequest>;
}

export const failed = (message: string): PartnerError => ({ ok: false, code: "request_failed", message });

/** Compiles the plan of a publisher's keys. The error names the key at fault. */
export function compilePlan(source: PlanSource, typed: object, settings: PartnerSettings): Plan | PartnerError {
  const fault = checkKeys(source.keysSchema, typed);
  if (fault) return failed(`${fault.key === "" ? "the keys" : fault.key} ${fault.message}`);
  const endpoint = settings.endpoint || source.endpoint;
  const keys = keysBySchema(source.keysSchema, typed);
  const parts = source.plan(keys, { endpoint, ids: settings.platformIds ?? {}, typed });
  const url = fillEndpoint(parts.endpoint ?? endpoint, parts);
  if (url === undefined) return failed("the endpoint is not an address, or a part of it has no value");
  const { currency } = settings;
  const imp = withStreamFloors({
    ...floorChanges({ currency }),
    ext: new ExtFields({ bidder: typed }),
    ...defined(parts.imp),
  });
  const impSplice = cachedBy((mediaTypes: readonly MediaType[]) =>
    compileChanges<Imp>(
      imp,
      MEDIA_TYPES.filter((type) => !mediaTypes.includes(type)),
    ),
  );
  return {
    url,
    headers: source.headers,
    request: compileChanges({ ...(currency && { cur: [currency] }), ...defined(parts.request) }),
    impSplice,
  };
}

function defined(changes: object = {}): object {
  return Object.fromEntries(Object.entries(changes).filter(([, change]) => change !== undefined));
}
