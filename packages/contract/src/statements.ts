import { z } from "zod";
import { NamedApp, Pager } from "./apps.ts";
import { DEDUCTION_REASONS } from "./deductions.ts";
import { defineCall } from "./define-call.ts";
import { ById, Day, Micros, SearchedPage, Uuid } from "./fields.ts";
import { TEXTS } from "./texts.ts";

/** How a statement writes a day, by an example that no other format can mean. */
export const DATE_FORMATS = ["2026-10-31", "31.10.2026", "31/10/2026", "10/31/2026", "20261031"] as const;
export type DateFormat = (typeof DATE_FORMATS)[number];

/** What names the app of a line: its bundle ID, or the placement that the partner gets as `imp.tagid`. */
export const PLACE_KINDS = ["bundle", "placement"] as const;
export type PlaceKind = (typeof PLACE_KINDS)[number];

export const DECIMAL_MARKS = [".", ","] as const;

/** Why a statement differs from an earlier one: a reason of deductions, or `mistake` if it replaces one that was imported by mistake. */
export const RESTATED_CAUSES = [...DEDUCTION_REASONS, "mistake"] as const;
export type RestatedCause = (typeof RESTATED_CAUSES)[number];

const MIB = 1024 * 1024;
export const MOST_STATEMENT_BYTES = 4 * MIB;
export const MOST_STATEMENT_LINES = 100_000;

const Column = z.string().trim().min(1, "Choose the column").max(200);

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** How a partner's statements are read; a partner has one, that of its last import. */
export const StatementMapping = z.strictObject({
  /** The columns by their heads. */
  date: Column,
  place: Column,
  impressions: Column,
  revenue: Column,
  place_kind: z.enum(PLACE_KINDS),
  date_format: z.enum(DATE_FORMATS),
  decimal: z.enum(DECIMAL_MARKS),
  /** The time zone of the statement's days; an IANA name. */
  time_zone: z.string().trim().max(64).refine(isTimeZone, "Use a time zone like America/Los_Angeles"),
  /** ISO 4217. */
  currency: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{3}$/, "Use a currency like EUR"),
});
export type StatementMapping = z.infer<typeof StatementMapping>;

/** Dollars for one unit of the statement's currency, as a decimal. */
const Rate = z
  .string()
  .trim()
  .regex(/^\d{1,6}(\.\d{1,8})?$/, "Use a rate like 1.0842")
  .refine((text) => Number(text) > 0, "Use a rate above 0")
  .nullable()
  .default(null);

const Statement = z.strictObject({
  partner: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, "Choose the partner"),
  mapping: StatementMapping,
  /** Of the settlement; left out for US dollars. */
  rate: Rate,
  /** The one that the partner's bids had when the ads were shown, if it says so: the difference is the exchange rate's. */
  shown_rate: Rate,
  /** Why lines differ from an earlier statement; required if some do. */
  cause: z.enum(RESTATED_CAUSES).nullable().default(null),
  file_name: z.string().trim().min(1, TEXTS.required).max(200),
  /** The CSV file's text. */
  content: z.string().min(1, "The file is empty").max(MOST_STATEMENT_BYTES, "Use a file of at most 4 MiB"),
});

/** JSON escapes quotes and line breaks. */
const MOST_BODY_BYTES = 2 * MOST_STATEMENT_BYTES + MIB;

/** What an import does to a day of an app. */
const StatedDay = z.object({
  day: Day,
  app: NamedApp,
  impressions: z.int(),
  /** In US dollars. */
  reported: Micros,
  /** What the partner's last statement said; null if there was none. */
  before: Micros.nullable(),
  /** What its impressions were sold for by our events, as booked. */
  estimated: Micros,
});
export type StatedDay = z.infer<typeof StatedDay>;

/** A fault in a file; line 1 is the head. */
const LineError = z.object({ line: z.int(), field: z.string(), message: z.string() });
export type LineError = z.infer<typeof LineError>;

/** Faults and days that are listed at most; the counts are complete. */
export const MOST_LISTED_ERRORS = 100;
export const MOST_LISTED_DAYS = 500;

export const previewStatement = defineCall({
  method: "POST",
  path: "/admin/statements/preview",
  summary:
    "Read a partner's statement without booking it: its columns, its faults by line and field, what it would change",
  access: "admin",
  maxBodyBytes: MOST_BODY_BYTES,
  body: Statement.pick({ partner: true, rate: true, shown_rate: true, content: true }).extend({
    mapping: StatementMapping.nullable().default(null),
  }),
  reply: z.object({
    columns: z.array(z.string()),
    /** Null without a mapping. */
    check: z
      .object({
        lines: z.int(),
        errors: z.array(LineError),
        errors_count: z.int(),
        first_day: Day.nullable(),
        last_day: Day.nullable(),
        reported: Micros,
        estimated: Micros,
        added: z.int(),
        restated: z.int(),
        unchanged: z.int(),
        /** What is added or restated. */
        days: z.array(StatedDay),
      })
      .nullable(),
  }),
});
export type StatementPreview = z.infer<typeof previewStatement.reply>;
export type StatementCheck = NonNullable<StatementPreview["check"]>;

export const importStatement = defineCall({
  method: "POST",
  path: "/admin/statements",
  summary: "Book what a partner's statement says: all of it, or nothing if a line is at fault; the same content once",
  access: "admin",
  maxBodyBytes: MOST_BODY_BYTES,
  body: Statement,
  reply: z.object({
    uuid: Uuid,
    /** False if the same was imported before. */
    is_new: z.boolean(),
    /** The days of apps that were added or restated. */
    changed: z.int(),
  }),
});

const ListedStatement = z.object({
  uuid: Uuid,
  partner: z.string(),
  partner_name: z.string(),
  file_name: z.string(),
  imported_at: z.iso.datetime(),
  /** The importing admin's e-mail; null once the person is deleted. */
  imported_by: z.string().nullable(),
  first_day: Day,
  last_day: Day,
  reported: Micros,
  added: z.int(),
  restated: z.int(),
  unchanged: z.int(),
  cause: z.enum(RESTATED_CAUSES).nullable(),
  /** How much it changed what the partner owes: against our events, or against its earlier statement. */
  changed_by: Micros,
  /** How much of it is against its earlier statement: what `cause` is for. */
  restated_by: Micros,
});
export type ListedStatement = z.infer<typeof ListedStatement>;

/** What a day of an app lacks, and what was passed on of it. */
const PassedOn = {
  /**
   * The publisher's part of what the partner owes less than our events say, without what its time zone moves between days; 0 if it owes more,
   * or a later statement changed it.
   */
  shortfall: Micros,
  /** What was deducted for it and not given back, by these deductions, the newest first. */
  passed_on: Micros,
  deductions: z.array(Uuid),
};

export const MOST_LISTED_EXCESSES = 100;

export const adminStatements = defineCall({
  method: "GET",
  path: "/admin/statements.json",
  summary:
    "List the imported statements of partners, newest first, how each partner's are read, and what was passed on in excess",
  access: "admin",
  query: SearchedPage,
  reply: z.object({
    statements: z.array(ListedStatement),
    partners: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        mapping: StatementMapping.nullable(),
        stated_until: Day.nullable(),
      }),
    ),
    /** Days of which more was passed on than is missing, as a later statement says; the largest excesses first, `MOST_LISTED_EXCESSES` at most. */
    excesses: z.array(z.object({ day: Day, app: NamedApp, partner_name: z.string(), ...PassedOn })),
    pager: Pager,
  }),
});
export type AdminStatements = z.infer<typeof adminStatements.reply>;

export const adminStatement = defineCall({
  method: "GET",
  path: "/admin/statements/{id}.json",
  summary: "Get an imported statement: what it changed by day and app, and what of the shortfall was passed on",
  access: "admin",
  params: ById,
  query: SearchedPage.pick({ p: true }),
  reply: z.object({
    statement: ListedStatement.extend({
      currency: z.string(),
      time_zone: z.string(),
      rate: z.string().nullable(),
      shown_rate: z.string().nullable(),
    }),
    days: z.array(
      StatedDay.extend({
        ...PassedOn,
        /** What the partner's time zone moves to this day, or away from it (negative): it is on the neighbouring days, and no shortfall. */
        time_zone: Micros,
      }),
    ),
    pager: Pager,
  }),
});
export type AdminStatement = z.infer<typeof adminStatement.reply>;

export const passOnShortfall = defineCall({
  method: "POST",
  path: "/admin/statements/{id}/pass_on",
  summary:
    "Deduct the shortfall of a day of an app from its publisher, who sees it and can dispute it; once per shortfall",
  access: "admin",
  params: ById,
  body: z.strictObject({ day: Day, app: Uuid, explanation: z.string().trim().min(1, TEXTS.required).max(500) }),
  reply: z.object({ deduction: Uuid, amount: Micros }),
});
