import { FORMATS, type Format, appNames, loadingText } from "@millrace/contract";
import { useState } from "react";
import { type BarColor, stableColor } from "../../../ui/charts/stable-color.ts";
import { Change } from "../../../ui/number/change.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { type BlockQuery, Loaded, LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { usePart } from "../api.ts";
import type { AppScope, PublisherScope, Scope } from "../scope.ts";
import { useAgainst, useCompared } from "../use-compared.ts";
import { AppLink } from "./app-link.tsx";
import { FilterLink } from "./filter-link.tsx";
import { NothingCounted } from "./nothing-counted.tsx";
import { Ranked, type RankedThing } from "./ranked.tsx";
import { SdkShares } from "./sdk-versions.tsx";

/** All apps show each of the six formats, an app few rows. */
const SHOWN = { app: 5, allApps: 6 };
const shownOf = ({ uuid }: Scope): number => (uuid === null ? SHOWN.allApps : SHOWN.app);

const ROWS = <RowsSkeleton rows={5} height={30} />;

export function EarningsByProviders({ scope }: { scope: AppScope }) {
  const query = usePart("earnings_by_providers", scope);
  return (
    <Earnings title="Earnings by providers" query={query} scope={scope}>
      {(rows) =>
        rows.map(({ provider, name, revenue, last_revenue: before }) => ({
          id: provider,
          name,
          value: revenue,
          before,
          color: stableColor(provider),
          text: <FilterLink filter={{ provider: [provider] }}>{name}</FilterLink>,
        }))
      }
    </Earnings>
  );
}

/** Each row links to its app's statistics for the same period, unless the app is deleted. */
export function EarningsByApps({ scope }: { scope: PublisherScope }) {
  const query = usePart("top_apps", scope);
  return (
    <Earnings title="Earnings by apps" query={query} scope={scope}>
      {(rows) => {
        const names = appNames(rows);
        return rows.map(({ app_id: id, uuid, name: plain, deleted, revenue, last_revenue: before }) => {
          const name = names.get(id) ?? plain;
          const text = deleted ? name : <AppLink uuid={uuid} name={name} scope={scope} />;
          return { id: String(id), name, value: revenue, before, color: stableColor(uuid), text };
        });
      }}
    </Earnings>
  );
}

export function EarningsByFormats({ scope }: { scope: Scope }) {
  const query = usePart("top_formats", scope);
  return (
    <Earnings title="Earnings by formats" query={query} scope={scope}>
      {(rows) => rows.map((row) => formatThing(row.format, row.name, row.revenue, row.last_revenue))}
    </Earnings>
  );
}

const CHOICES = [
  { id: "earnings", label: "Earnings" },
  { id: "impressions", label: "Impressions" },
  { id: "sdk", label: "SDK" },
] as const;

/** An app's earnings and impressions by format, and its sessions by SDK version, one at a time. */
export function Formats({ scope }: { scope: AppScope }) {
  const [shown, setShown] = useState<(typeof CHOICES)[number]["id"]>("earnings");
  return (
    <Panel
      title={shown === "sdk" ? "SDK versions" : "Formats"}
      aside={<Segments small label="Formats or SDK versions" options={CHOICES} chosen={shown} onChoose={setShown} />}
    >
      {shown === "earnings" ? <FormatEarnings scope={scope} /> : null}
      {shown === "impressions" ? <FormatImpressions scope={scope} /> : null}
      {shown === "sdk" ? <SdkShares scope={scope} /> : null}
    </Panel>
  );
}

function FormatEarnings({ scope }: { scope: AppScope }) {
  const query = usePart("top_formats", scope);
  const against = useAgainst(scope);
  return (
    <Loaded
      query={query}
      loading={loadingText("earnings by formats")}
      skeleton={ROWS}
      isEmpty={(rows) => !rows.some(({ revenue }) => revenue > 0)}
      empty={<NothingCounted what="earnings" of="earned" />}
    >
      {(rows) => (
        <Ranked
          label="Earnings by formats"
          things={rows.map((row) => formatThing(row.format, row.name, row.revenue, row.last_revenue))}
          figure="revenue"
          shown={SHOWN.app}
          against={against}
        />
      )}
    </Loaded>
  );
}

function FormatImpressions({ scope }: { scope: AppScope }) {
  const query = usePart("impressions_by_formats", scope);
  const against = useAgainst(scope);
  return (
    <Loaded
      query={query}
      loading={loadingText("impressions by formats")}
      skeleton={ROWS}
      isEmpty={(rows) => !rows.some(({ impressions }) => impressions > 0)}
      empty={<NothingCounted what="impressions" />}
    >
      {(rows) => (
        <Ranked
          label="Impressions by formats"
          things={rows.map((row) => formatThing(row.format, row.name, row.impressions, row.last_impressions))}
          figure="impressions"
          shown={SHOWN.app}
          against={against}
        />
      )}
    </Loaded>
  );
}

/** A format, which has its own colour on every page and narrows the page down to it. */
function formatThing(format: Format, name: string, value: number, before: number | null): RankedThing {
  const color = `chart${FORMATS.indexOf(format) + 1}` as BarColor;
  return {
    id: format,
    name,
    value,
    before,
    color,
    text: <FilterLink filter={{ format: [format] }}>{name}</FilterLink>,
  };
}

interface EarningsProps<T> {
  title: string;
  query: BlockQuery<T>;
  scope: Scope;
  children: (data: T) => RankedThing[];
}

/** A panel of earnings, with the change of their total beside its title. */
function Earnings<T extends readonly unknown[]>({ title, query, scope, children }: EarningsProps<T>) {
  const against = useAgainst(scope);
  const positiveRows = (data: T) => children(data).filter(({ value }) => value > 0);
  return (
    <LoadedBlock
      title={title}
      aside={<RevenueChange scope={scope} />}
      query={query}
      loading={loadingText(title.toLowerCase())}
      skeleton={ROWS}
      isEmpty={(data) => positiveRows(data).length === 0}
      empty={<NothingCounted what="earnings" of="earned" />}
    >
      {(data) => (
        <Ranked label={title} things={positiveRows(data)} figure="revenue" shown={shownOf(scope)} against={against} />
      )}
    </LoadedBlock>
  );
}

/** The change of the total; nothing if there is none. */
function RevenueChange({ scope }: { scope: Scope }) {
  const compared = useCompared(scope)?.("revenue");
  if (!compared || compared.change === null) return null;
  return <Change text={compared.change} against={compared.against} />;
}
