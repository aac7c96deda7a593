import { Button } from "@mantine/core";
import {
  PAGER_MARGIN_PAGES,
  PAGER_RANGE_PAGES,
  TEXTS,
  loadingText,
  notFoundText,
  type AppRow,
} from "@millrace/contract";
import { dayOf } from "@millrace/units";
import { Suspense, lazy, useMemo, useState } from "react";
import type { Prefetch } from "../../../shared/prefetch.ts";
import { type ListAddress, readListAddress } from "../../../shared/filters/address.ts";
import { FilterBar } from "../../../shared/filters/filter-bar.tsx";
import { useAddress } from "../../../shared/filters/use-address.ts";
import { useFilterOptions } from "../../../shared/filters/use-filter-options.ts";
import { useMayUse } from "../../../shared/session.ts";
import { ChoiceFilter } from "../../../ui/fields/choice-filter.tsx";
import { SearchBox } from "../../../ui/fields/search-box.tsx";
import { PageTitle } from "../../../ui/page-title.tsx";
import { countText } from "../../../ui/pager/count-text.ts";
import { Pager } from "../../../ui/pager/pager.tsx";
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
  const { ds, de, provider, format, country } = address;
  const may = useMayUse();
  const [deleting, setDeleting] = useState<AppRow | null>(null);
  const columns = useMemo(
    () => appColumns({ carried: { ds, de, provider, format, country }, may, onDelete: setDeleting }),
    [ds, de, provider, format, country, may],
  );
  // A changed filter starts at the first page again.
  const narrow = (part: Partial<ListAddress>) => change({ ...part, p: 0 });
  const narrowed = address.search !== "" || address.app_id.length > 0;

  return (
    <>
      <PageTitle text="Apps" />
      <FilterBar
        filter={address}
        onChange={narrow}
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
        <div className={classes.search}>
          <SearchBox label="Search app" value={address.search} onSearch={(search) => narrow({ search })} />
        </div>
      </FilterBar>
      <LoadedBlock
        title="Apps"
        aside={(page) => (page ? countText(page.pager, page.apps.length) : undefined)}
        query={apps}
        loading={loadingText("apps")}
        retry={TEXTS.tryAgain}
        skeleton={<TableSkeleton rows={SKELETON_ROWS} columns={9} rowHeight={ROW_HEIGHT} />}
        isEmpty={(page) => page.apps.length === 0}
        empty={<NoApps narrowed={narrowed} onShowAll={() => narrow({ search: "", app_id: [] })} />}
      >
        {(page) => (
          <>
            <DataTable
              caption="Apps and their figures"
              columns={columns}
              rows={page.apps.map((app): AppLine => ({ app, metrics: app }))}
              rowId={({ app }) => app?.uuid ?? "total"}
              total={{ app: null, metrics: page.totals }}
              ordering={{ by: address.order, direction: address.order_type }}
              onOrder={({ by, direction }) => narrow({ order: by, order_type: direction })}
            />
            <Pager
              current={page.pager.current_page - 1}
              count={page.pager.last_page}
              marginPages={PAGER_MARGIN_PAGES}
              rangePages={PAGER_RANGE_PAGES}
              onPage={(p) => change({ p })}
            />
          </>
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

function NoApps({ narrowed, onShowAll }: { narrowed: boolean; onShowAll: () => void }) {
  if (!narrowed) return <EmptyNote title={notFoundText("apps")} why="This account has no apps yet." />;
  return (
    <EmptyNote
      title={notFoundText("apps")}
      why="No app of this account matches this name."
      action={
        <Button variant="default" onClick={onShowAll}>
          Show all apps
        </Button>
      }
    />
  );
}
