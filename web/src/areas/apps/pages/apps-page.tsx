import { Button } from "@mantine/core";
import { TEXTS, loadingText, notFoundText, type AppRow } from "@millrace/contract";
import { dayOf, formatMoneyExact } from "@millrace/units";
import { Link } from "@tanstack/react-router";
import { Suspense, lazy, useMemo, useState } from "react";
import type { Prefetch } from "../../../shared/prefetch.ts";
import { type ListAddress, carriedOf, readListAddress } from "../../../shared/filters/address.ts";
import { comparedPeriod } from "../../../shared/filters/compared-period.ts";
import { ComparisonFilter } from "../../../shared/filters/comparison-filter.tsx";
import { FilterBar } from "../../../shared/filters/filter-bar.tsx";
import { useAddress } from "../../../shared/filters/use-address.ts";
import { useFilterOptions } from "../../../shared/filters/use-filter-options.ts";
import { PATHS } from "../../../shared/paths.ts";
import { useKnownSession, useMayUse } from "../../../shared/session.ts";
import { ChoiceFilter } from "../../../ui/fields/choice-filter.tsx";
import { SearchBox } from "../../../ui/fields/search-box.tsx";
import { PageTitle } from "../../../ui/page-title.tsx";
import { countText } from "../../../ui/pager/count-text.ts";
import { ListPager } from "../../../shared/list-pager.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { LiveMark } from "../../../ui/states/live-mark.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { AddAppButton } from "../add/add-app-button.tsx";
import { appsQuery, useApps } from "../api.ts";
import { type AppLine, appColumns } from "../parts/app-columns.tsx";
import classes from "./apps-page.module.css";

const DeleteApp = lazy(async () => ({ default: (await import("../parts/delete-app.tsx")).DeleteApp }));

const SamplesNote = lazy(async () => ({ default: (await import("../parts/samples-note.tsx")).SamplesNote }));

const SKELETON_ROWS = 12;
const ROW_HEIGHT = 50;

export const prefetch: Prefetch = (client, { search }) => {
  client.query(appsQuery(readListAddress(search))).catch(() => undefined);
};

/** The account's apps with their figures. */
export function AppsPage() {
  const [address, change] = useAddress(readListAddress);
  const live = address.de === dayOf(Date.now());
  const apps = useApps(address, live);
  const names = useFilterOptions().data?.apps ?? {};
  const { ds, de, provider, format, country, compare } = address;
  const may = useMayUse();
  const [deleting, setDeleting] = useState<AppRow | null>(null);
  const page = apps.data;
  const until = page?.compared_until;
  const lines = useMemo((): AppLine[] => page?.apps.map((app) => ({ app, metrics: app })) ?? [], [page]);
  const columns = useMemo(() => {
    const against = comparedPeriod({ ds, de, compare }, until);
    const carried = carriedOf({ ds, de, provider, format, country, compare });
    return appColumns(lines, { carried, against, may, onDelete: setDeleting });
  }, [lines, ds, de, provider, format, country, compare, until, may]);
  // A changed filter starts at the first page again.
  const narrow = (part: Partial<ListAddress>) => change({ ...part, p: 0 });

  return (
    <>
      <PageTitle text="Apps" />
      <FilterBar
        filter={address}
        onChange={narrow}
        beside={
          <>
            <ComparisonFilter
              range={{ ds, de }}
              compare={compare}
              until={until}
              onChange={(chosen) => change({ compare: chosen })}
            />
            <div className={classes.search}>
              <SearchBox label="Search app" value={address.search} onSearch={(search) => narrow({ search })} />
            </div>
          </>
        }
        aside={
          <div className={classes.aside}>
            {live ? <LiveMark updatedAtMs={apps.dataUpdatedAt} failing={apps.isError} /> : null}
            <AddAppButton />
          </div>
        }
      >
        {address.app_id.length > 0 ? (
          <ChoiceFilter what="apps" options={names} chosen={address.app_id} onChange={(app_id) => narrow({ app_id })} />
        ) : null}
      </FilterBar>
      {page?.apps.some(({ is_sample }) => is_sample === 1) ? (
        <Suspense>
          <SamplesNote />
        </Suspense>
      ) : null}
      <LoadedBlock
        title="Apps"
        repeatsHeading
        aside={(page) => (page ? countText(page.pager, page.apps.length) : undefined)}
        query={apps}
        loading={loadingText("apps")}
        retry={TEXTS.tryAgain}
        skeleton={<TableSkeleton rows={SKELETON_ROWS} columns={9} rowHeight={ROW_HEIGHT} />}
        isEmpty={(page) => page.apps.length === 0}
        empty={<NoApps address={address} onShowAll={() => narrow({ search: "", app_id: [] })} />}
      >
        {(page) => (
          <div className={classes.list}>
            <DataTable
              caption="Apps and their figures"
              columns={columns}
              cards
              rows={lines}
              rowId={({ app }) => app?.uuid ?? "total"}
              total={{ app: null, metrics: page.totals }}
              ordering={{ by: address.order, direction: address.order_type }}
              onOrder={({ by, direction }) => narrow({ order: by, order_type: direction })}
            />
            <ListPager pager={page.pager} onPage={(p) => change({ p })} />
            {page.deleted_revenue === undefined || !may("publisher.read") ? null : (
              <p className={classes.deleted}>
                {`Deleted apps earned another ${formatMoneyExact(page.deleted_revenue)} in this period. `}
                <Link to={PATHS.publisherPerformance} search={carriedOf(address)}>
                  Performance
                </Link>{" "}
                counts them too.
              </p>
            )}
          </div>
        )}
      </LoadedBlock>
      {deleting === null ? null : (
        <Suspense>
          <DeleteApp app={deleting} onClose={() => setDeleting(null)} />
        </Suspense>
      )}
    </>
  );
}

function NoApps({ address, onShowAll }: { address: ListAddress; onShowAll: () => void }) {
  const { search, app_id } = address;
  const hasAllApps = useKnownSession()?.has_all_apps !== false;
  if (search === "" && app_id.length === 0) {
    return (
      <EmptyNote
        title={notFoundText("apps")}
        why={
          hasAllApps
            ? "This account has no apps yet. Once an app has demand and its snippet, it shows ads, and its figures appear here."
            : "The apps that were chosen for you are no longer in this account."
        }
        action={<AddAppButton label="Add the first app" opensByItself={false} />}
      />
    );
  }
  return (
    <EmptyNote
      title={notFoundText("apps")}
      why={
        search === ""
          ? "The chosen apps are not in this account."
          : `No app of this account has “${search}” in its name or bundle ID.`
      }
      action={
        <Button variant="default" onClick={onShowAll}>
          Show all apps
        </Button>
      }
    />
  );
}
