import {
  type Check,
  codes,
  count,
  cpm,
  extension,
  flag,
  type Fault,
  integer,
  integerFrom,
  listOf,
  number,
  object,
  string,
  strings,
  text,
} from "./check.ts";
import { parseNativeRequest } from "./parse-native.ts";

const pixels = integerFrom(1);

const format = object({
  w: pixels,
  h: pixels,
  wratio: pixels,
  hratio: pixels,
  wmin: pixels,
  ext: extension,
});

export const durFloor = object({ mindur: count, maxdur: count, bidfloor: cpm, ext: extension });

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

const streamed: Record<string, Check> = {
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
};

function durationsFit({ minduration, maxduration }: Record<string, unknown>): Fault | null {
  const fits = minduration === undefined || maxduration === undefined || Number(minduration) <= Number(maxduration);
  return fits ? null : { path: "maxduration", message: "must not be less than minduration" };
}

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
