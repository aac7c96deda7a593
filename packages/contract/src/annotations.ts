import { z } from "zod";
import { defineCall } from "./define-call.ts";
import { ById, Uuid } from "./fields.ts";
import { StatsFilter, inOrder } from "./filters.ts";

/** What a tick on a chart can be about. */
export const ANNOTATION_KINDS = ["floor", "block", "keys", "switch", "flag", "sdk"] as const;
export type AnnotationKind = (typeof ANNOTATION_KINDS)[number];

export const MOST_ANNOTATIONS = 500;

/**
 * A change that may explain a bend in a line: to floors, blocks, a partner's keys, a partner's switch or an app's flags, or the
 * first day with a version of the SDK.
 */
export const Annotation = z.object({
  /** When it was changed; the start of the day for `sdk`. */
  at: z.iso.datetime(),
  kind: z.enum(ANNOTATION_KINDS),
  /** A short text, such as `Floor DE Banner $2.31`. Only readers who may open the settings see their values. */
  text: z.string(),
  /** The name of the person; null if it is not known, for `sdk`, and for those who may not open the settings. */
  who: z.string().nullable(),
  app: z.object({ app_id: z.int(), uuid: Uuid, name: z.string() }),
});
export type Annotation = z.infer<typeof Annotation>;

/** Oldest first; if there are more than `MOST_ANNOTATIONS`, only the newest. */
export const Annotations = z.object({ annotations: z.array(Annotation) });
export type Annotations = z.infer<typeof Annotations>;

/** Changes that concern none of the countries, formats or providers of the filter are left out. */
const Filter = StatsFilter.pick({ ds: true, de: true, provider: true, format: true, country: true });

export const appAnnotations = defineCall({
  method: "GET",
  path: "/apps/{id}/annotations.json",
  summary: "List the changes of an app's settings and SDK versions within dates, for its charts",
  access: "apps.read",
  params: ById,
  query: inOrder(Filter),
  reply: Annotations,
});

export const publisherAnnotations = defineCall({
  method: "GET",
  path: "/apps/performance/annotations.json",
  summary: "List the changes of all apps' settings and SDK versions within dates, for their charts",
  access: "publisher.read",
  query: inOrder(Filter.extend(StatsFilter.pick({ app_id: true }).shape)),
  reply: Annotations,
});
