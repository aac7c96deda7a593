import type { BidRequest, Imp, MediaType } from "@millrace/openrtb";
import { type FieldTexts, fieldsPiece, joined, type NameSet, nameSet, type Piece, pieceOf } from "./json-texts.ts";

/** What a change may look at in an auction. */
export interface ChangeContext {
  /** The request in the partner's version of OpenRTB, without the partner's own changes. */
  request: BidRequest;
  /** US dollars per unit of a currency, as of today. */
  ratesToUsd: Readonly<Record<string, number>> | undefined;
  /** The call's `tmax` in milliseconds, if not the request's. */
  tmaxMs: number | undefined;
  /** The place of the imp in its call. */
  index: number;
  /** The imp's one media type in a call, if the adapter splits by media type. */
  mediaType: MediaType | undefined;
  /** The keys of the imps before the call's first, for fields to which each imp adds. */
  keysBefore(): readonly object[];
}

/** Why an imp, or a whole call, is not sent. */
export class Refusal {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/**
 * A field's new value, or a function that computes it from the auction's object: undefined removes the field. Fixed values
 * are serialised once, with the plan; functions cost their own run and the serialising of one field in each auction.
 */
export type Change<Of, Value> = Value | ((target: Of, context: ChangeContext) => Value | Refusal | undefined);

/** Changes by field. A field that is undefined here stays as it is. */
export type Changes<Of> = { [Field in keyof Of]?: Change<Of, Of[Field]> | undefined };

/** Fields added to an imp's `ext` and the same in every auction. They replace fields of their names. */
export class ExtFields {
  readonly fields: object;

  constructor(fields: object) {
    this.fields = fields;
  }
}

/** The changes of an imp. Unless they set `ext`, the publisher's keys travel in `ext.bidder`. */
export type ImpChanges = Omit<Changes<Imp>, "ext"> & { ext?: Changes<Imp>["ext"] | ExtFields };

/** The changes of a request beside its imps. */
export type RequestChanges = Omit<Changes<BidRequest>, "imp">;

/** Changes as compiled for splicing. */
export interface Splice<Of> {
  /** The fields of the shared text that are left out. */
  replaced: NameSet;
  fixed: Piece;
  computed: readonly (readonly [name: string, change: (target: Of, context: ChangeContext) => unknown])[];
  /** For imps: fixed fields within `ext`. */
  ext: { names: NameSet; fixed: Piece } | undefined;
}

/** Compiles changes; `removed` fields are left out without a new value. */
export function compileChanges<Of>(changes: object, removed: readonly string[] = []): Splice<Of> {
  const fixed: Record<string, unknown> = {};
  const computed: [string, (target: Of, context: ChangeContext) => unknown][] = [];
  let ext: Splice<Of>["ext"];
  for (const [name, change] of Object.entries(changes) as [string, unknown][]) {
    if (change instanceof ExtFields) ext = compileExt(change.fields);
    else if (typeof change === "function") computed.push([name, change as (typeof computed)[number][1]]);
    else if (change !== undefined) fixed[name] = change;
  }
  const names = [...Object.keys(fixed), ...computed.map(([name]) => name), ...removed];
  return { replaced: nameSet(ext ? [...names, "ext"] : names), fixed: fieldsPiece(fixed), computed, ext };
}

function compileExt(fields: object) {
  const kept = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return { names: nameSet(Object.keys(kept)), fixed: fieldsPiece(kept) };
}

/** The text of all changed fields, or the first refusal. `texts` are the object's own, for values that stay as they are. */
export function changedFields<Of extends object>(
  splice: Splice<Of>,
  target: Of,
  context: ChangeContext,
  texts: FieldTexts,
): Piece | Refusal {
  if (splice.computed.length === 0) return splice.fixed;
  let result = splice.fixed;
  for (const [name, change] of splice.computed) {
    const value = change(target, context);
    if (value instanceof Refusal) return value;
    const own = texts.sameAs(name, value);
    if (own !== undefined) {
      result = joined(result, own);
      continue;
    }
    const json = value === undefined ? undefined : JSON.stringify(value);
    if (json !== undefined) result = joined(result, pieceOf(`${JSON.stringify(name)}:${json}`));
  }
  return result;
}
