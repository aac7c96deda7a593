import type { Imp } from "./bid-request.ts";

/** The four kinds of markup, in the order of `bid.mtype` 1 to 4 (AdCOM list "Markup types"). */
export const MEDIA_TYPES = ["banner", "video", "audio", "native"] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

/** `bid.mtype` of each media type. */
export const MTYPE = { banner: 1, video: 2, audio: 3, native: 4 } as const satisfies Record<MediaType, number>;

/** The media type of a `bid.mtype`; undefined for a number that the standard does not list. */
export function mediaTypeOfMtype(mtype: number | undefined): MediaType | undefined {
  return mtype === undefined ? undefined : MEDIA_TYPES[mtype - 1];
}

/** The imp's media type if it offers exactly one; it is then the type of a bid without `mtype`. */
export function soleMediaType(imp: Imp): MediaType | undefined {
  let sole: MediaType | undefined;
  for (const type of MEDIA_TYPES) {
    if (imp[type] === undefined) continue;
    if (sole !== undefined) return undefined;
    sole = type;
  }
  return sole;
}
