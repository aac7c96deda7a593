import {
  type Check,
  count,
  extension,
  type Fault,
  flag,
  integer,
  isObject,
  listOf,
  object,
  string,
  strings,
  text,
} from "./check.ts";
import { nativeRequest } from "./native-request-shape.ts";
import type { NativeRequest, NativeResponse } from "./native.ts";
import { withoutNulls } from "./without-nulls.ts";

const link = object({ url: string, clicktrackers: strings, fallback: string, ext: extension }, { required: ["url"] });

const asset = object({
  id: integer,
  required: flag,
  title: object({ text: string, len: count, ext: extension }, { required: ["text"] }),
  img: object({ type: count, url: string, w: count, h: count, ext: extension }, { required: ["url"] }),
  video: object({ vasttag: text, ext: extension }, { required: ["vasttag"] }),
  data: object({ type: count, len: count, value: string, ext: extension }, { required: ["value"] }),
  link,
  ext: extension,
});

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
        { required: ["event", "method"] },
      ),
    ),
    privacy: string,
    ext: extension,
  },
  { required: ["link"] },
);

export type Parsed<T> = { ok: true; value: T } | { ok: false; error: Fault };

/**
 * Parses `imp.native.request`: JSON text of a Native 1.x request, with or without the `{"native": ...}` wrapper of 1.0.
 * Some clients leave asset ids to the exchange; assets without ids are numbered from 0, as in Prebid Server. Never throws.
 */
export function parseNativeRequest(value: unknown): Parsed<NativeRequest> {
  const parsed = parse<NativeRequest>(value, nativeRequest);
  return parsed.ok && lacksAssetIds(parsed.value) ? { ok: true, value: withAssetIds(parsed.value) } : parsed;
}

/** Numbers the native assets of a validated imp if they have no ids; otherwise returns the same imp. */
export function nameNativeAssets<I extends { native?: { request: string } }>(imp: I): I {
  if (imp.native === undefined) return imp;
  const parsed = parse<NativeRequest>(imp.native.request, nativeRequest);
  if (!parsed.ok || !lacksAssetIds(parsed.value)) return imp;
  return { ...imp, native: { ...imp.native, request: JSON.stringify(withAssetIds(parsed.value)) } };
}

const lacksAssetIds = ({ assets }: NativeRequest): boolean => (assets[0] as { id?: number }).id === undefined;

const withAssetIds = (request: NativeRequest): NativeRequest => ({
  ...request,
  assets: request.assets.map((asset, id) => ({ ...asset, id })),
});

/** Parses a native bid's `adm`: JSON text, or the object that some bidders send instead, wrapped or not. Never throws. */
export function parseNativeResponse(value: unknown): Parsed<NativeResponse> {
  return parse<NativeResponse>(value, nativeResponse);
}

function parse<T>(value: unknown, check: Check): Parsed<T> {
  const parsed = typeof value === "string" ? parseJson(value) : value;
  if (!isObject(parsed)) return { ok: false, error: { path: "", message: "must be a native object as JSON text" } };
  const bare = withoutNulls(isObject(parsed["native"]) ? parsed["native"] : parsed);
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
