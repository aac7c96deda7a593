import type { AppIdentity, ListedStatement } from "@millrace/contract";

/** The app that the statement is about. */
export const STATED_APP: Pick<AppIdentity, "uuid" | "name" | "platform"> = {
  uuid: "00000000-0000-4000-8000-000000000001",
  name: "Tide",
  platform: "android",
};

/** A partner's first statement of a month, of less than events say. */
export const SOME_STATEMENT: ListedStatement = {
  uuid: "0f8fad5b-d9cb-469f-a165-708677289501",
  partner: "aurora",
  partner_name: "The Aurora",
  file_name: "october.csv",
  imported_at: "2026-11-05T10:00:00.000Z",
  imported_by: "admin@example.com",
  first_day: "2026-10-01",
  last_day: "2026-10-31",
  reported: 90_000_000,
  added: 31,
  restated: 0,
  unchanged: 0,
  cause: null,
  changed_by: -10_000_000,
  restated_by: 0,
};
