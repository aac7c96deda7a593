import type { LineItem } from "@millrace/contract";
import { expect, test } from "vitest";
import { type Draft, draftOf, NEW_DRAFT, readDraft } from "./line-item-draft.ts";
import { fieldsOf } from "./waterfall-rows.ts";

const item = (some: Partial<LineItem>): LineItem => ({
  uuid: "00000000-0000-4000-8000-0000000000aa",
  revision: "a-revision",
  name: "Cedar",
  format: "banner",
  zones: ["home", "top"],
  enabled: false,
  source: { kind: "html", html: "<p>Ad</p>", size: { w: 320, h: 50 } },
  prices: [
    { country: null, price: 2_000_001 },
    { country: "US", price: 2_500_000 },
  ],
  gvl_id: 755,
  expected: [],
  paid: 0,
  steps: { tried: 0, filled: 0 },
  yesterday: { impressions: 0, expected: 0, countries: {} },
  ...some,
});

test.each<Partial<LineItem>>([
  {},
  { prices: [{ country: "DE", price: 1 }], gvl_id: null, zones: [] },
  { format: "interstitial", source: { kind: "html", html: "<p>Ad</p>", size: null } },
  { format: "video", source: { kind: "vast", url: "https://tags.example/?z={zone}" } },
  { source: { kind: "sdk", adapter: "Cedar", params: { placement: "a=b", key: "" } } },
])("a line item of %j comes back from its form as it was", (some) => {
  const fields = fieldsOf(item(some));
  const { prices } = fields;
  expect(readDraft(draftOf(item(some)), fields.enabled)).toEqual({ ok: true, fields: { ...fields, prices } });
});

const TYPED: Draft = { ...NEW_DRAFT, name: "Cedar", url: "https://tags.example/", price: "2.50" };

test.each<[Partial<Draft>, Partial<Record<keyof Draft, string>>]>([
  [{}, {}],
  [{ name: " " }, { name: "This field is required" }],
  [{ url: "tags.example" }, { url: "Please enter a valid URL" }],
  [{ price: "" }, { price: "Add a price" }],
  [{ price: "free" }, { price: "Use an amount like 2.50" }],
  [{ price: "0" }, { price: "Must be above 0" }],
  [{ prices: "US 1\nGermany 2" }, { prices: "“Germany 2” is not like US 2.50" }],
  [{ prices: "us 1\nUS 2" }, { price: "A country is listed twice" }],
  [{ gvl_id: "a" }, { gvl_id: "Use a whole number" }],
  [{ kind: "html", format: "banner", html: "<p>", w: "", h: "" }, { w: "A banner has a size" }],
  [{ kind: "html", format: "banner", html: "<p>", h: "x" }, { h: "Use whole pixels" }],
  [{ kind: "html", format: "banner" }, { html: "This field is required" }],
  [{ kind: "sdk", adapter: "a b" }, { adapter: "Use letters, digits and _.-" }],
  [{ kind: "sdk", adapter: "A", params: "placement" }, { params: "“placement” is not like placement=123" }],
])("typed as %j: %j", (typed, faults) => {
  const read = readDraft({ ...TYPED, ...typed }, true);
  expect(read.ok ? {} : read.faults).toMatchObject(faults);
  expect(read.ok).toBe(Object.keys(faults).length === 0);
});
