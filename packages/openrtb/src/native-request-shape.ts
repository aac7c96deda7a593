import {
  type Check,
  count,
  durationsFit,
  extension,
  type Fault,
  flag,
  integer,
  integerFrom,
  type JsonObject,
  listOf,
  object,
  string,
  strings,
  text,
} from "./check.ts";

const KINDS = ["title", "img", "video", "data"];

function oneKind(asset: JsonObject): Fault | null {
  const kinds = KINDS.filter((kind) => asset[kind] !== undefined).length;
  return kinds === 1 ? null : { path: "", message: `must have exactly one of ${KINDS.join(", ")}` };
}

/** Either every asset has an id, or none has one and `withAssetIds` numbers them. */
function assetIds({ assets }: JsonObject): Fault | null {
  const ids = (assets as { id?: number }[]).map(({ id }) => id);
  if (ids.every((id) => id === undefined)) return null;
  const seen = new Set<number>();
  for (const [index, id] of ids.entries()) {
    const path = `assets[${index}].id`;
    if (id === undefined) return { path, message: "is required where other assets have one" };
    if (seen.has(id)) return { path, message: "must be unique in the request" };
    seen.add(id);
  }
  return null;
}

/** A value from one of the standard's lists, or a value of 500 or above, which exchanges define themselves. */
function listed(first: number, last: number): Check {
  const message = `must be from ${first} to ${last}, or 500 or above`;
  return (value) =>
    Number.isInteger(value) && (((value as number) >= first && (value as number) <= last) || (value as number) >= 500)
      ? null
      : { path: "", message };
}

/** Contexts and their subtypes (Native 1.2, section 7). */
const SUBTYPES = new Map<number, [first: number, last: number]>([
  [1, [10, 15]],
  [2, [20, 22]],
  [3, [30, 32]],
]);

/** A subtype must belong to its context; values that exchanges define fit any. */
function subtypeOfContext({ context, contextsubtype }: JsonObject): Fault | null {
  if (typeof context !== "number" || typeof contextsubtype !== "number") return null;
  if (context >= 500 || contextsubtype >= 500) return null;
  const [first = 0, last = -1] = SUBTYPES.get(context) ?? [];
  return contextsubtype >= first && contextsubtype <= last
    ? null
    : { path: "contextsubtype", message: `must be one of context ${context}: ${first} to ${last}` };
}

const askedAsset = object(
  {
    id: integer,
    required: flag,
    title: object({ len: integerFrom(1), ext: extension }, { required: ["len"] }),
    img: object({ type: listed(1, 3), w: count, wmin: count, h: count, hmin: count, mimes: strings, ext: extension }),
    video: object(
      {
        mimes: listOf(text, { min: 1 }),
        minduration: integerFrom(1),
        maxduration: integerFrom(1),
        protocols: listOf(listed(1, 16), { min: 1 }),
        ext: extension,
      },
      { required: ["mimes", "minduration", "maxduration", "protocols"], rule: durationsFit },
    ),
    data: object({ type: listed(1, 12), len: count, ext: extension }, { required: ["type"] }),
    ext: extension,
  },
  { rule: oneKind },
);

/** A Native 1.2 request (section 4). List values are checked as in Prebid Server. */
export const nativeRequest = object(
  {
    ver: string,
    context: listed(1, 3),
    contextsubtype: listed(10, 32),
    plcmttype: listed(1, 4),
    plcmtcnt: count,
    seq: count,
    assets: listOf(askedAsset, { min: 1 }),
    aurlsupport: flag,
    durlsupport: flag,
    eventtrackers: listOf(
      object(
        { event: listed(1, 4), methods: listOf(listed(1, 2), { min: 1 }), ext: extension },
        { required: ["event", "methods"] },
      ),
    ),
    privacy: flag,
    ext: extension,
  },
  { required: ["assets"], rule: (value) => assetIds(value) ?? subtypeOfContext(value) },
);
