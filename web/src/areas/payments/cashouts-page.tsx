import { PAGER_MARGIN_PAGES, PAGER_RANGE_PAGES, loadingText, notFoundText } from "@millrace/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { readPage } from "../../shared/filters/read-page.ts";
import { useAddress } from "../../shared/filters/use-address.ts";
import { PATHS } from "../../shared/paths.ts";
import { PageTitle } from "../../ui/page-title.tsx";
import { Pager } from "../../ui/pager/pager.tsx";
import { EmptyNote } from "../../ui/states/empty-note.tsx";
import { LoadedBlock } from "../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../ui/states/skeletons.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { cashoutsQuery } from "./api.ts";
import { HISTORY_COLUMNS } from "./cashout-columns.tsx";

/** Every payout of the account, ten a page. */
export function CashoutsPage() {
  const [{ p = 0 }, change] = useAddress(readPage);
  return (
    <>
      <PageTitle text="Payment history" />
      <LoadedBlock
        title="Payments"
        repeatsHeading
        aside={
          <Link to={PATHS.payment} activeOptions={{ exact: true }}>
            Next payment
          </Link>
        }
        query={useQuery(cashoutsQuery(p))}
        loading={loadingText("payments")}
        skeleton={<TableSkeleton rows={10} columns={HISTORY_COLUMNS.length} />}
        isEmpty={({ cashouts }) => cashouts.length === 0}
        empty={
          <EmptyNote title={notFoundText("payments")} why="Payments are listed here once the first has been made." />
        }
      >
        {({ cashouts, page_cnt: count }) => (
          <>
            <DataTable caption="Payments" columns={HISTORY_COLUMNS} rows={cashouts} rowId={({ id }) => id} cards />
            <Pager
              current={Math.min(p, count - 1)}
              count={count}
              marginPages={PAGER_MARGIN_PAGES}
              rangePages={PAGER_RANGE_PAGES}
              onPage={(page) => change({ p: page || undefined })}
            />
          </>
        )}
      </LoadedBlock>
    </>
  );
}
