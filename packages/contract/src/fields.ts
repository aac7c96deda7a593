import { z } from "zod";

/** Integer micro-dollars. A JSON number: platform totals stay far below 2^53 micros (9 billion dollars). */
export const Micros = z.int();

/** A UTC day, `yyyy-mm-dd`. */
export const Day = z.iso.date();

/** Public id of an entity. */
export const Uuid = z.uuid();

/** The parameter of a path with `{id}`. */
export const ById = z.strictObject({ id: Uuid });

/** A domain in ASCII and lower case, as app-ads.txt and OpenRTB spell it. */
export const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** A domain as typed; `such` is an example for the error message. */
export const domainLike = (such: string) =>
  z.string().trim().toLowerCase().max(253).regex(DOMAIN, `Use a domain like ${such}`);

/** Marks what a form edits, as it was read. It changes with what the form edits, and with nothing else. */
export const Revision = z.string().max(64);

/** The query of a save: with a `revision`, it is refused (409) once somebody else has changed what the form edits. */
export const AtRevision = z.strictObject({ revision: Revision.optional() });

/** A UUID that the caller makes up for what it adds, so that it is added once although it is sent again after a lost reply. */
export const OnceByKey = z.strictObject({ key: Uuid.toLowerCase().optional() });

/** The query of a searchable list in pages, counted from 0. */
export const SearchedPage = z.strictObject({
  search: z.string().trim().max(100).default(""),
  p: z.coerce.number().int().min(0).max(100_000).default(0),
});

/** The reply of a call that only reports success. */
export const Done = z.object({ ok: z.literal(1) });

/** A query key that can be absent or repeated; always parsed to a list. */
export const repeated = <S extends z.ZodType>(item: S) =>
  z.preprocess(
    (value): unknown[] => (value === undefined ? [] : Array.isArray(value) ? value : [value]),
    z.array(item).max(300),
  );

/** The reply of a failed call: a sentence, or a sentence for each wrong field. */
export const ErrorReply = z.object({ error: z.union([z.string(), z.record(z.string(), z.string())]) });
export type ErrorReply = z.infer<typeof ErrorReply>;

/** A rule between fields, reported along with field errors, so that a form shows everything at once. */
export const always = <T extends object>(holds: (value: T) => boolean, field: string, message: string) =>
  z.refine<T>(holds, {
    path: [field],
    message,
    when: ({ value }) => typeof value === "object" && value !== null && !Array.isArray(value),
  });
