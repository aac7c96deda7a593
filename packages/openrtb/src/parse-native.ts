import {
  type Check,
  codes,
  count,
  extension,
  type Fault,
  flag,
  integer,
  integerFrom,
  isObject,
  type JsonObject,
  listOf,
  object,
  string,
  strings,
  text,
} from "./check.ts";
import type { NativeRequest, NativeResponse } from "./native.ts";
import { withoutNulls } from "./without-nulls.ts";

const KINDS = ["title", "img", "video", "data"];

function oneKind(asset: JsonObject): Fault | null {
  const kinds = KINDS.filter((kind) => asset[kind] !== undefined).length;
  return kinds === 1 ? null : { path: "", message: `must have exactly one of ${KINDS.join(", ")}` };
}

function uniqueAssetIds({ assets }: JsonObject): Fault | null {
  const seen = new Set<number>();
  const twice = (assets as { id: number }[]).findIndex(({ id }) => seen.size === seen.add(id).size);
  return twice < 0 ? null : { path: `assets[${twice}].id`, message: "must be unique in the request" };
}

const askedAsset = object(
  {
    id: integer,
    required: flag,
    title: object({ len: integerFrom(1), ext: extension }, { required: ["len"] }),
    img: object({ type: count, w: count, wmin: count, h: count, hmin: count, mimes: strings, ext: extension }),
    video: object(
      { mimes: listOf(text, { min: 1 }), minduration: count, maxduration: count, protocols: codes, ext: extension },
      { required: ["mimes", "minduration", "maxduration", "protocols"] },
    ),
    data: object({ type: count, len: count, ext: extension }, { required: ["type"] }),
    ext: extension,
  },
  { required: ["id"], rule: oneKind },
);

const nativeRequest = object(
  {
    ver: string,
    context: count,
    contextsubtype: count,
    plcmttype: count,
    plcmtcnt: count,
    seq: count,
    assets: listOf(askedAsset, { min: 1 }),
    aurlsupport: flag,
    durlsupport: flag,
    eventtrackers: listOf(
      object(
        { event: count, methods: listOf(integer, { min: 1 }), ext: extension },
        { required: ["event", "methods"] },
      ),
    ),
    privacy: flag,
    ext: extension,
  },
  { required: ["assets"], rule: uniqueAssetIds },
);

const optional = { nulls: true };
const link = object(
  { url: string, clicktrackers: strings, fallback: string, ext: extension },
  { required: ["url"], ...optional },
);

const asset = object(
  {
    id: integer,
    required: flag,
    title: object({ text: string, len: count, ext: extension }, { required: ["text"], ...optional }),
    img: object({ type: count, url: string, w: count, h: count, ext: extension }, { required: ["url"], ...optional }),
    video: object({ vasttag: text, ext: extension }, { required: ["vasttag"], ...optional }),
    data: object({ type: count, len: count, value: string, ext: extension }, { required: ["value"], ...optional }),
    link,
    ext: extension,
  },
  optional,
);

const nativeResponse = object(
  {
    ver: string,
    assets: listOf(asset),
    assetsurl: string,
    dcourl: string,
    link,
    imptrackers: strings,
    jstracker: string,
    eventtrackers: listOf(
      object(
        { event: count, method: count, url: string, customdata: extension, ext: extension },
        { required: ["event", "method"], ...optional },
      ),
    ),
    privacy: string,
    ext: extension,
  },
  { required: ["link"], ...optional },
);

export type Parsed<T> = { ok: true; value: T } | { ok: false; error: Fault };

/** Reads `imp.native.request`: JSON text of a Native 1.x request, also in the `{"native": ...}` wrapper of 1.0. Never throws. */
export function parseNativeRequest(value: unknown): Parsed<NativeRequest> {
  return parse(value, nativeRequest);
}

/** Reads a native bid's `adm`: JSON text (some send the object itself), wrapped or not. Never throws. */
export function parseNativeResponse(value: unknown): Parsed<NativeResponse> {
  const parsed = parse<NativeResponse>(value, nativeResponse);
  return parsed.ok ? { ok: true, value: withoutNulls(parsed.value) } : parsed;
}

function parse<T>(value: unknown, check: Check): Parsed<T> {
  const parsed = typeof value === "string" ? parseJson(value) : value;
  if (!isObject(parsed)) return { ok: false, error: { path: "", message: "must be a native object as JSON text" } };
  const bare = isObject(parsed["native"]) ? parsed["native"] : parsed;
  const found = check(bare);
  if (found === null) return { ok: true, value: bare as T };
  const where = found.path === "" ? "" : `${found.path} `;
  return { ok: false, error: { path: found.path, message: `native: ${where}${found.message}` } };
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
