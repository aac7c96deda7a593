import { type Imp, MEDIA_TYPES, type MediaType } from "@millrace/openrtb";

/**
 * How imps are distributed over calls. `single`: all in one. `per-imp`: each alone. `per-imp-media-type`: each media type of each
 * imp alone. `video-per-imp`: each imp that sells video and no banner alone, the others together. `by`: together if they have the same
 * value of a key. `by-address`: together if their keys give the same address.
 */
export type Split = "single" | "per-imp" | "per-imp-media-type" | "video-per-imp" | "by-address" | { by: string };

/** An imp's part in a call. */
export interface Part<Plan> {
  imp: Imp;
  keys: object;
  plan: Plan;
  /** What the call asks of the imp. */
  mediaTypes: readonly MediaType[];
}

interface SplitRules {
  split: Split;
  /** The media types that the partner buys; in this order, an imp is split by them. */
  mediaTypes: readonly MediaType[];
  maxImps: number;
  maxCalls: number;
}

/** Distributes imps over calls, in their order; imps that need more than `maxCalls` are left out. */
export function splitImps<Plan extends { url: string }>(
  parts: readonly Part<Plan>[],
  { split, mediaTypes, maxImps, maxCalls }: SplitRules,
): Part<Plan>[][] {
  const [only] = parts;
  if (only && parts.length === 1 && split !== "per-imp-media-type") return [[only]];
  // Nearly always one and at most a few, so searching a list is faster than building a map.
  const groups: { name: unknown; parts: Part<Plan>[] }[] = [];
  const add = (name: unknown, part: Part<Plan>) => {
    const group = groups.find((each) => each.name === name && each.parts.length < maxImps);
    if (group) group.parts.push(part);
    else if (groups.length < maxCalls) groups.push({ name, parts: [part] });
  };
  for (const part of parts) {
    if (split === "per-imp-media-type") {
      for (const type of mediaTypes) if (part.imp[type] !== undefined) add({}, { ...part, mediaTypes: ALONE[type] });
    } else add(groupOf(part, split), part);
  }
  return groups.map((group) => group.parts);
}

// The same lists each time, because changes are cached by them.
const ALONE: Record<MediaType, readonly MediaType[]> = {
  banner: ["banner"],
  video: ["video"],
  audio: ["audio"],
  native: ["native"],
};

/** Imps with the same one share a call; an object is like no other. */
function groupOf<Plan extends { url: string }>({ imp, keys, plan }: Part<Plan>, split: Split): unknown {
  if (split === "single") return "";
  if (split === "by-address") return plan.url;
  if (split === "video-per-imp") return imp.banner === undefined && imp.video !== undefined ? {} : "";
  return typeof split === "object" ? (keys as Record<string, unknown>)[split.by] : {};
}

export const sells = (imp: Imp, mediaTypes: readonly MediaType[]): boolean =>
  mediaTypes.some((type) => imp[type] !== undefined);

/** The media types in the adapter's order, limited by the operator's. */
export const limitedTypes = (
  own: readonly MediaType[],
  allowed: readonly MediaType[] = MEDIA_TYPES,
): readonly MediaType[] => own.filter((type) => allowed.includes(type));
