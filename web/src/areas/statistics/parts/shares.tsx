import { FORMATS, type Format, loadingText, notFoundText } from "@millrace/contract";
import {
  formatCount,
  formatCountExact,
  formatMoneyExact,
  formatMoneyShort,
  formatPercent,
  percentOf,
} from "@millrace/units";
import { Donut, type Slice } from "../../../ui/charts/donut.tsx";
import { type SliceColor, stableColors } from "../../../ui/charts/stable-colors.ts";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { type BlockQuery, LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { DonutSkeleton } from "../../../ui/states/skeletons.tsx";
import { type Scope, usePart } from "../api.ts";
import { largest } from "../largest.ts";

const SLICES = 6;
const MIN_HEIGHT = 264;

export function EarningsByProviders({ scope }: { scope: Scope }) {
  const query = usePart("earnings_by_providers", scope);
  return (
    <Share title="Earnings by providers" query={query} unit="money">
      {(rows) => {
        const shown = largest(
          rows.map((row) => ({ id: row.provider, name: row.name, value: row.revenue })),
          SLICES,
        );
        const colors = stableColors(shown.filter(({ rest }) => !rest).map(({ id }) => id));
        return shown.map(({ id, name, value }) => ({ id, name, value, color: colors.get(id) ?? "rest" }));
      }}
    </Share>
  );
}

export function EarningsByFormats({ scope }: { scope: Scope }) {
  const query = usePart("top_formats", scope);
  return (
    <Share title="Earnings by formats" query={query} unit="money">
      {(rows) => rows.map((row) => formatSlice(row.format, row.name, row.revenue))}
    </Share>
  );
}

export function ImpressionsByFormats({ scope }: { scope: Scope }) {
  const query = usePart("impressions_by_formats", scope);
  return (
    <Share title="Impressions by formats" query={query} unit="count">
      {(rows) => rows.map((row) => formatSlice(row.format, row.name, row.impressions))}
    </Share>
  );
}

/** There are as many formats as colours: each has its own, on every page. */
function formatSlice(format: Format, name: string, value: number): Slice {
  return { id: format, name, value, color: `chart${FORMATS.indexOf(format) + 1}` as SliceColor };
}

interface ShareProps<T> {
  title: string;
  query: BlockQuery<T>;
  unit: "money" | "count";
  children: (data: T) => Slice[];
}

function Share<T extends readonly unknown[]>({ title, query, unit, children }: ShareProps<T>) {
  const [format, exact] = unit === "money" ? [formatMoneyShort, formatMoneyExact] : [formatCount, formatCountExact];
  const what = unit === "money" ? "earnings" : "impressions";
  const slicesOf = (data: T) =>
    children(data)
      .filter((slice) => slice.value > 0)
      .toSorted((a, b) => Number(a.id === "") - Number(b.id === "") || b.value - a.value);
  return (
    <LoadedBlock
      title={title}
      query={query}
      loading={loadingText(title)}
      skeleton={<DonutSkeleton rows={4} />}
      minHeight={MIN_HEIGHT}
      isEmpty={(data) => slicesOf(data).length === 0}
      empty={<EmptyNote title={notFoundText(what)} why="None in these days with these filters." />}
    >
      {(data) => {
        const slices = slicesOf(data);
        const sum = slices.reduce((total, slice) => total + slice.value, 0);
        const share = (value: number) => formatPercent(percentOf(value, sum));
        return <Donut label={title} slices={slices} format={format} exact={exact} share={share} total={format(sum)} />;
      }}
    </LoadedBlock>
  );
}
