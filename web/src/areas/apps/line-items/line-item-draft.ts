import { type LineItem, LineItemFields, type LineKind, type LinePrice } from "@millrace/contract";
import { decimalDollars } from "@millrace/units";
import { z } from "zod";
import { microsOf } from "../../../shared/micros-of.ts";

/** A line item as it is typed. */
export const Draft = z.object({
  name: z.string(),
  kind: z.string(),
  format: z.string(),
  url: z.string(),
  html: z.string(),
  w: z.string(),
  h: z.string(),
  adapter: z.string(),
  /** `name=value`, one a line. */
  params: z.string(),
  /** CPM in dollars, for every country without one of its own. */
  price: z.string(),
  /** `US 2.50`, one a line. */
  prices: z.string(),
  /** Names, separated by spaces or commas. */
  zones: z.string(),
  gvl_id: z.string(),
});
export type Draft = z.infer<typeof Draft>;

export const NEW_DRAFT: Draft = {
  name: "",
  kind: "vast",
  format: "video",
  url: "",
  html: "",
  w: "320",
  h: "50",
  adapter: "",
  params: "",
  price: "",
  prices: "",
  zones: "",
  gvl_id: "",
};

/** A line item as its form shows it. */
export function draftOf({ name, format, zones, source, prices, gvl_id }: LineItem): Draft {
  const everywhere = prices.find(({ country }) => country === null);
  const draft: Draft = {
    ...NEW_DRAFT,
    name,
    format,
    kind: source.kind,
    zones: zones.join(" "),
    price: everywhere ? decimalDollars(everywhere.price) : "",
    prices: prices.flatMap(({ country, price }) => (country ? [`${country} ${decimalDollars(price)}`] : [])).join("\n"),
    gvl_id: gvl_id === null ? "" : String(gvl_id),
  };
  switch (source.kind) {
    case "vast":
      return { ...draft, url: source.url };
    case "html":
      return { ...draft, html: source.html, w: String(source.size?.w ?? ""), h: String(source.size?.h ?? "") };
    case "sdk": {
      const params = Object.entries(source.params).map(([param, value]) => `${param}=${value}`);
      return { ...draft, adapter: source.adapter, params: params.join("\n") };
    }
  }
}

type Faults = Partial<Record<keyof Draft, string>>;

/** The typed line item as the call takes it, or what is wrong by field. */
export function readDraft(
  draft: Draft,
  enabled: boolean,
): { ok: true; fields: LineItemFields } | { ok: false; faults: Faults } {
  const faults: Faults = {};
  const prices = [...everywhere(draft, faults), ...byCountry(draft, faults)];
  const parsed = LineItemFields.safeParse({
    name: draft.name,
    format: draft.format,
    zones: draft.zones.split(/[\s,]+/).filter(Boolean),
    enabled,
    source: sourceOf(draft, faults),
    prices,
    gvl_id: draft.gvl_id.trim() === "" ? null : numberOf(draft.gvl_id),
  });
  for (const { path, message } of parsed.error?.issues ?? []) faults[fieldAt(path)] ??= message;
  return parsed.success && Object.keys(faults).length === 0 ? { ok: true, fields: parsed.data } : { ok: false, faults };
}

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");

const numberOf = (text: string): number => (/^\d{1,6}$/.test(text.trim()) ? Number(text) : Number.NaN);

function everywhere({ price }: Draft, faults: Faults): LinePrice[] {
  if (price.trim() === "") return [];
  const micros = microsOf(price);
  if (micros !== null) return [{ country: null, price: micros }];
  faults.price = "Use an amount like 2.50";
  return [];
}

function byCountry({ prices }: Draft, faults: Faults): LinePrice[] {
  return linesOf(prices).flatMap((line) => {
    const [, country = "", amount = ""] = /^\s*([A-Za-z]{2})[\s,;=:]+(\S+)\s*$/.exec(line) ?? [];
    const micros = microsOf(amount);
    if (country !== "" && micros !== null) return [{ country: country.toUpperCase(), price: micros }];
    faults.prices ??= `“${line.trim().slice(0, 40)}” is not like US 2.50`;
    return [];
  });
}

function sourceOf(draft: Draft, faults: Faults): object {
  const kind = draft.kind as LineKind;
  switch (kind) {
    case "vast":
      return { kind, url: draft.url };
    case "html": {
      const isAny = draft.w.trim() === "" && draft.h.trim() === "";
      return { kind, html: draft.html, size: isAny ? null : { w: numberOf(draft.w), h: numberOf(draft.h) } };
    }
    case "sdk": {
      const params = linesOf(draft.params).map((line) => {
        const at = line.indexOf("=");
        if (at < 1) faults.params ??= `“${line.trim().slice(0, 40)}” is not like placement=123`;
        return [line.slice(0, at).trim(), line.slice(at + 1).trim()] as const;
      });
      return { kind, adapter: draft.adapter.trim(), params: Object.fromEntries(params) };
    }
  }
}

/** The field that shows what is wrong at a path of the call. */
function fieldAt(path: readonly PropertyKey[]): keyof Draft {
  const [first, second, third] = path.flatMap((part) => String(part).split("."));
  if (first === "prices") return "price";
  if (first !== "source") return Draft.keyof().safeParse(first).data ?? "name";
  if (second === "size") return third === "h" ? "h" : "w";
  return Draft.keyof().safeParse(second).data ?? "name";
}
