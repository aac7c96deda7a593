import {
  type Check,
  codes,
  count,
  cpm,
  durationsFit,
  extension,
  flag,
  type Fault,
  integer,
  integerFrom,
  isObject,
  type JsonObject,
  listOf,
  number,
  object,
  string,
  strings,
  text,
} from "./check.ts";
import { parseNativeRequest } from "./parse-native.ts";

const pixels = integerFrom(1);

const SIZE_FIELDS = ["w", "h"];
const RATIO_FIELDS = ["wmin", "wratio", "hratio"];

const has = (value: JsonObject, name: string): boolean => value[name] !== undefined;

/** A format is either a complete size or a complete ratio (OpenRTB 2.6, section 3.2.10). */
function sizeOrRatio(value: JsonObject): Fault | null {
  const isSize = SIZE_FIELDS.some((name) => has(value, name));
  const isRatio = RATIO_FIELDS.some((name) => has(value, name));
  if (isSize === isRatio) return { path: "", message: "must have either w and h, or wmin, wratio and hratio" };
  const missing = (isSize ? SIZE_FIELDS : RATIO_FIELDS).find((name) => !has(value, name));
  return missing === undefined ? null : { path: missing, message: "is required" };
}

const format = object(
  { w: pixels, h: pixels, wratio: pixels, hratio: pixels, wmin: pixels, ext: extension },
  { rule: sizeOrRatio },
);

export const durFloor = object({ mindur: count, maxdur: count, bidfloor: cpm, ext: extension });

/** An imp's banner or a companion ad. `bannerWithoutSizes` checks the size, which only an imp needs. */
export const banner = object({
  format: listOf(format),
  w: pixels,
  h: pixels,
  wmax: pixels,
  hmax: pixels,
  wmin: pixels,
  hmin: pixels,
  btype: codes,
  battr: codes,
  pos: count,
  mimes: strings,
  topframe: flag,
  expdir: codes,
  api: codes,
  id: string,
  vcm: flag,
  ext: extension,
});

/** A banner must have sizes, as `w` and `h` or as formats. An interstitial has the whole screen. */
export function bannerWithoutSizes({ banner: value, instl }: JsonObject): Fault | null {
  if (!isObject(value) || instl === 1) return null;
  const isSized =
    (has(value, "w") && has(value, "h")) || (Array.isArray(value["format"]) && value["format"].length > 0);
  return isSized ? null : { path: "banner", message: "must have w and h, or a format" };
}

const streamed = {
  mimes: listOf(text, { min: 1 }),
  minduration: count,
  maxduration: count,
  // Negative values are the standard's generic mid-roll and post-roll.
  startdelay: integer,
  maxseq: count,
  poddur: count,
  protocols: codes,
  podid: string,
  podseq: integer,
  rqddurs: listOf(count),
  sequence: count,
  slotinpod: integer,
  mincpmpersec: cpm,
  battr: codes,
  // -1 allows any extension.
  maxextended: integer,
  minbitrate: count,
  maxbitrate: count,
  delivery: codes,
  companionad: listOf(banner),
  api: codes,
  companiontype: codes,
  durfloors: listOf(durFloor),
  ext: extension,
} satisfies Record<string, Check>;

export const video = object(
  {
    ...streamed,
    protocol: integer,
    w: count,
    h: count,
    placement: count,
    plcmt: count,
    linearity: count,
    skip: flag,
    skipmin: count,
    skipafter: count,
    boxingallowed: flag,
    playbackmethod: codes,
    playbackend: count,
    pos: count,
    poddedupe: codes,
  },
  { required: ["mimes"], rule: durationsFit },
);

export const audio = object(
  { ...streamed, feed: count, stitched: flag, nvol: count },
  { required: ["mimes"], rule: durationsFit },
);

export const native = object(
  {
    request: (value) => {
      const parsed = parseNativeRequest(typeof value === "string" ? value : undefined);
      return parsed.ok ? null : { path: "", message: parsed.error.message };
    },
    ver: string,
    api: codes,
    battr: codes,
    ext: extension,
  },
  { required: ["request"] },
);

export const metric = object(
  { type: string, value: number, vendor: string, ext: extension },
  { required: ["type", "value"] },
);
