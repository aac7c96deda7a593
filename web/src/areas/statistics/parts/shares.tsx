import { FORMATS, type Format, loadingText } from "@millrace/contract";
import { formatPercent, percentOf } from "@millrace/units";
import { Donut } from "../../../ui/charts/donut.tsx";
import type { Slice } from "../../../ui/charts/donut-chart.tsx";
import { type SliceColor, stableColors } from "../../../ui/charts/stable-colors.ts";
import { type BlockQuery, LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { DonutSkeleton } from "../../../ui/states/skeletons.tsx";
import { usePart } from "../api.ts";
import { appNames } from "../app-names.ts";
import { largest } from "../largest.ts";
import { METRIC_WORDS } from "../metric-words.ts";
import type { AppScope, PublisherScope, Scope } from "../scope.ts";
import { AppLink } from "./app-link.tsx";
import { NothingCounted } from "./nothing-counted.tsx";
import { PeriodChange } from "./period-change.tsx";

const SLICES = 6;
const MIN_HEIGHT = 264;

export function EarningsByProviders({ scope }: { scope: AppScope }) {
  const query = usePart("earnings_by_providers", scope);
  return (
    <Share title="Earnings by providers" query={query} figure="revenue" scope={scope}>
      {(rows) => coloured(rows.map((row) => ({ id: row.provider, name: row.name, value: row.revenue })))}
    </Share>
  );
}

/** Each slice links to its app's statistics for the same period. */
export function EarningsByApps({ scope }: { scope: PublisherScope }) {
  const query = usePart("top_apps", scope);
  return (
    <Share title="Earnings by apps" query={query} figure="revenue" scope={scope}>
      {(rows) => {
        const names = appNames(rows);
        const uuids = new Map(rows.map((row) => [String(row.app_id), row.uuid]));
        const named = rows.map(({ app_id: id, name, revenue }) => ({
          id: String(id),
          name: names.get(id) ?? name,
          value: revenue,
        }));
        return coloured(named).map((slice) => {
          const uuid = uuids.get(slice.id);
          if (uuid === undefined) return slice;
          return { ...slice, text: <AppLink uuid={uuid} name={slice.name} scope={scope} /> };
        });
      }}
    </Share>
  );
}

export function EarningsByFormats({ scope }: { scope: Scope }) {
  const query = usePart("top_formats", scope);
  return (
    <Share title="Earnings by formats" query={query} figure="revenue" scope={scope}>
      {(rows) => rows.map((row) => formatSlice(row.format, row.name, row.revenue))}
    </Share>
  );
}

export function ImpressionsByFormats({ scope }: { scope: AppScope }) {
  const query = usePart("impressions_by_formats", scope);
  return (
    <Share title="Impressions by formats" query={query} figure="impressions" scope={scope}>
      {(rows) => rows.map((row) => formatSlice(row.format, row.name, row.impressions))}
    </Share>
  );
}

/** The largest slices have their own colours; the others are combined. */
function coloured(rows: Parameters<typeof largest>[0]): Slice[] {
  const shown = largest(rows, SLICES);
  const colors = stableColors(shown.filter(({ rest }) => !rest).map(({ id }) => id));
  return shown.map(({ id, name, value }) => ({ id, name, value, color: colors.get(id) ?? "rest" }));
}

/** Each format has its own colour on every page. */
function formatSlice(format: Format, name: string, value: number): Slice {
  return { id: format, name, value, color: `chart${FORMATS.indexOf(format) + 1}` as SliceColor };
}

interface ShareProps<T> {
  title: string;
  query: BlockQuery<T>;
  /** The metric of the slices; its total is in the middle, its change next to the title. */
  figure: "revenue" | "impressions";
  scope: Scope;
  children: (data: T) => Slice[];
}

function Share<T extends readonly unknown[]>({ title, query, figure, scope, children }: ShareProps<T>) {
  const { short, exact } = METRIC_WORDS[figure];
  const slicesOf = (data: T) =>
    children(data)
      .filter((slice) => slice.value > 0)
      .toSorted((a, b) => Number(a.id === "") - Number(b.id === "") || b.value - a.value);
  return (
    <LoadedBlock
      title={title}
      aside={<PeriodChange scope={scope} figure={figure} />}
      query={query}
      loading={loadingText(title.toLowerCase())}
      skeleton={<DonutSkeleton rows={4} />}
      minHeight={MIN_HEIGHT}
      isEmpty={(data) => slicesOf(data).length === 0}
      empty={<NothingCounted what={figure === "revenue" ? "earnings" : "impressions"} />}
    >
      {(data) => {
        const slices = slicesOf(data);
        const sum = slices.reduce((total, slice) => total + slice.value, 0);
        const share = (value: number) => formatPercent(percentOf(value, sum));
        return <Donut label={title} slices={slices} format={short} exact={exact} share={share} total={short(sum)} />;
      }}
    </LoadedBlock>
  );
}
