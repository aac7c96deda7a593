import { DATE_FORMATS, DECIMAL_MARKS, PLACE_KINDS, type PlaceKind, StatementMapping } from "@millrace/contract";
import { z } from "zod";
import { ApiError } from "../../../shared/call-api.ts";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import classes from "./parts.module.css";

/** How a statement is read, as the calls take it. */
export interface Reading {
  mapping: StatementMapping;
  rate: string | null;
  shown_rate: string | null;
}

const Fields = StatementMapping.extend({
  rate: z.string().trim().optional(),
  shown_rate: z.string().trim().optional(),
});

const PLACE_LABELS = {
  bundle: "the app's bundle ID",
  placement: "the placement (imp.tagid)",
} as const satisfies Record<PlaceKind, string>;

/** What partners often call the columns. */
const USUAL = {
  date: /^(date|day)/i,
  place: /bundle|^app|placement|zone/i,
  impressions: /impression|^imps?$|shown/i,
  revenue: /revenue|earning|amount|payout/i,
} as const;

interface MappingFormProps {
  columns: readonly string[];
  /** Of the partner's last statement. */
  mapping: StatementMapping | null;
  onChange: () => void;
  check: (reading: Reading) => Promise<void>;
}

/** Says which column is what, and how days and amounts are written; begins with how the partner's last statement was read. */
export function MappingForm({ columns, mapping, onChange, check }: MappingFormProps) {
  const form = useContractForm({
    schema: Fields,
    initial: { ...initialOf(columns, mapping), rate: "", shown_rate: "" },
    send: async ({ rate, shown_rate: shownRate, ...read }) => {
      try {
        await check({ mapping: StatementMapping.parse(read), rate: rate || null, shown_rate: shownRate || null });
      } catch (failure) {
        throw failure instanceof ApiError ? unprefixed(failure) : failure;
      }
    },
  });
  const options = columns.map((column) => ({ value: column, label: column }));
  const column = (name: keyof typeof USUAL) => ({ ...form.field(name), options, placeholder: "Choose the column" });
  const isForeign = (form.values.currency ?? "").trim().toUpperCase() !== "USD";
  return (
    <Form {...form.props} onChange={onChange}>
      <div className={classes.fields}>
        <SelectField {...column("date")} label="Column of the day" />
        <SelectField {...form.field("date_format")} label="Its days look like" options={asOptions(DATE_FORMATS)} />
        <TextField
          {...form.field("time_zone")}
          label="Time zone of its days"
          description="UTC, or a name like America/Los_Angeles"
        />
        <SelectField {...column("place")} label="Column of the app" />
        <SelectField
          {...form.field("place_kind")}
          label="It has"
          options={PLACE_KINDS.map((value) => ({ value, label: PLACE_LABELS[value] }))}
        />
        <SelectField {...column("impressions")} label="Column of impressions" />
        <SelectField {...column("revenue")} label="Column of revenue" />
        <SelectField
          {...form.field("decimal")}
          label="Its amounts look like"
          options={DECIMAL_MARKS.map((value) => ({ value, label: value === "." ? "1234.56" : "1234,56" }))}
        />
        <TextField {...form.field("currency")} label="Currency" description="By its code, such as USD" maxLength={3} />
        {isForeign ? (
          <>
            <TextField
              {...form.field("rate")}
              label="Rate of the settlement"
              description="US dollars for one unit"
              inputMode="decimal"
            />
            <TextField
              {...form.field("shown_rate")}
              label="Rate when the ads were shown (optional)"
              description="If the partner states it: the difference is the exchange rate's"
              inputMode="decimal"
            />
          </>
        ) : null}
      </div>
      <Submit {...form.submit}>Check the file</Submit>
    </Form>
  );
}

const asOptions = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

/** The last mapping's columns, if the file has them, or those that are usually called so. */
function initialOf(columns: readonly string[], mapping: StatementMapping | null): StatementMapping {
  const named = (name: keyof typeof USUAL): string => {
    const before = mapping?.[name];
    if (before !== undefined && columns.includes(before)) return before;
    return columns.find((column) => USUAL[name].test(column)) ?? "";
  };
  return {
    place_kind: "bundle",
    date_format: "2026-10-31",
    decimal: ".",
    time_zone: "UTC",
    currency: "USD",
    ...mapping,
    date: named("date"),
    place: named("place"),
    impressions: named("impressions"),
    revenue: named("revenue"),
  };
}

/** The calls name a mapping's field by its path; here it is a field of the form. */
const unprefixed = ({ status, fields, message }: ApiError): ApiError =>
  new ApiError(
    status,
    Object.keys(fields).length === 0
      ? message
      : Object.fromEntries(Object.entries(fields).map(([name, text]) => [name.replace(/^mapping\./, ""), text])),
  );
