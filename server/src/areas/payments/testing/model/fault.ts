import type { PostingKind } from "../../ledger.ts";
import type { Invariant } from "./invariants.ts";
import type { Planted } from "./real-books.ts";
import type { Step } from "./run-model.ts";

/** A fault that somebody might make: the model must find it, and say what it breaks. */
export interface Fault extends Planted {
  name: string;
  breaks: readonly Invariant[];
  /** Of the store's tables and functions. */
  sql?: string;
  /** The steps among which it shows soon; any if left out. */
  among?: readonly Step[];
}

/** Replaces a part of the platform's statements; a part that is nowhere would plant nothing. */
export const instead =
  (part: string, by: string) =>
  (text: string): string =>
    text.replaceAll(part, by);

export const trigger = (name: string, table: string, body: string) => `
  CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$;
  CREATE TRIGGER ${name} BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION ${name}()`;

/** A publisher's line that is booked for nobody. */
export const toNobody = (kind: PostingKind): string => `
  IF NEW.book = 'publisher_balance' AND EXISTS (SELECT FROM ledger_postings WHERE id = NEW.posting_id AND kind = '${kind}')
  THEN NEW.book := 'adjustments'; END IF; RETURN NEW;`;
