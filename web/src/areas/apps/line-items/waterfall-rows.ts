import {
  CAMPAIGN_PROVIDER,
  type Format,
  type LineItem,
  type LineItemFields,
  type PartnerScore,
} from "@millrace/contract";

/** A source of ads in the waterfall's picture. */
export interface WaterfallRow {
  id: string;
  name: string;
  /** Null if the price is not known: there was no bid yesterday, or the country has no price. */
  price: number | null;
  low: number;
  high: number;
  /** Of a bidder: what it earned yesterday. Of a line item: what it is expected to have earned. */
  yesterday: number;
  isOn: boolean;
  /** Null for a bidder. */
  item: LineItem | null;
  /** The price that a line item's owner states for the country. */
  stated: number | null;
  /** The country that the stated price is for; null if it is for every other. */
  statedIn: string | null;
}

interface Sources {
  partners: readonly PartnerScore[];
  items: readonly LineItem[];
  format: Format | undefined;
  country: string | undefined;
}

/** Bidders and line items in one list: by expected price, with those that are off or have none at its end. */
export function waterfallRows({ partners, items, format, country }: Sources): WaterfallRow[] {
  const bidders = partners
    .filter(
      ({ active, keyed, asked, id }) => id === CAMPAIGN_PROVIDER.id || (active && (keyed.length > 0 || asked > 0)),
    )
    .map(({ id, name, enabled, median_bid: price, low_bid: low, high_bid: high, revenue }): WaterfallRow => ({
      id,
      name,
      price,
      low: low ?? price ?? 0,
      high: high ?? price ?? 0,
      yesterday: revenue,
      isOn: enabled || id === CAMPAIGN_PROVIDER.id,
      item: null,
      stated: null,
      statedIn: null,
    }));
  const lines = items
    .filter((item) => format === undefined || item.format === format)
    .map((item): WaterfallRow => {
      const expected = forCountry(item.expected, country);
      const stated = forCountry(item.prices, country);
      return {
        id: item.uuid,
        name: item.name,
        price: expected?.price ?? null,
        low: expected?.low ?? 0,
        high: expected?.high ?? 0,
        yesterday: country === undefined ? item.yesterday.expected : (item.yesterday.countries[country] ?? 0),
        isOn: item.enabled,
        item,
        stated: stated?.price ?? null,
        statedIn: stated?.country ?? null,
      };
    });
  return [...bidders, ...lines].toSorted(
    (a, b) =>
      Number(!takesPart(a)) - Number(!takesPart(b)) || (b.price ?? 0) - (a.price ?? 0) || a.name.localeCompare(b.name),
  );
}

/** Whether a source would be tried, and at a known price. */
export const takesPart = ({ isOn, price }: WaterfallRow): boolean => isOn && price !== null;

/** The entry for a country, or else the default (null). Without a country: the default, or else the first entry. */
function forCountry<T extends { country: string | null }>(
  all: readonly T[],
  country: string | undefined,
): T | undefined {
  return (
    all.find((each) => each.country === (country ?? null)) ??
    all.find((each) => each.country === null) ??
    (country === undefined ? all[0] : undefined)
  );
}

/** A line item as its call takes it. */
export function fieldsOf({
  uuid: _uuid,
  revision: _revision,
  yesterday: _day,
  expected: _expected,
  paid: _paid,
  steps: _steps,
  ...fields
}: LineItem): LineItemFields {
  return fields;
}

/** The line item with a new price for a country, or for all other countries if `country` is null. */
export function repriced(item: LineItem, country: string | null, price: number): LineItemFields {
  const others = item.prices.filter((each) => each.country !== country);
  return { ...fieldsOf(item), prices: [...others, { country, price }] };
}
