import { Button } from "@mantine/core";
import { EARLIEST_DATE, type Pager, TEXTS, loadingText, notFoundText } from "@millrace/contract";
import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { ListPager } from "../../../shared/list-pager.tsx";
import type { PATHS } from "../../../shared/paths.ts";
import { DateRangeFilter } from "../../../ui/fields/date-range-filter.tsx";
import { SearchBox } from "../../../ui/fields/search-box.tsx";
import { PageTitle } from "../../../ui/page-title.tsx";
import { countText } from "../../../ui/pager/count-text.ts";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { LiveMark } from "../../../ui/states/live-mark.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import type { CampaignsAddress } from "../campaigns-address.ts";
import classes from "./campaign-list.module.css";

/** A row of the list: a campaign, or null for the total. */
interface Line<Campaign, Figures> {
  campaign: Campaign | null;
  figures: Figures;
}

interface ListWords {
  page: string;
  title: string;
  /** `campaigns`, within sentences. */
  what: string;
  /** An account without any. */
  none: string;
  /** Nothing found: `No campaign of this account has “x” in its name.` */
  notFound: (search: string) => string;
  add: string;
  addFirst: string;
}

interface CampaignListProps<Campaign, Figures> {
  words: ListWords;
  address: CampaignsAddress;
  today: string;
  onChange: (part: Partial<CampaignsAddress>) => void;
  list: UseQueryResult<{ campaigns: Campaign[]; totals: Figures; pager: Pager }>;
  columns: readonly Column<Line<Campaign, Figures>>[];
  skeleton: { rows: number; rowHeight: number };
  /** The form for a new one; null for users who may not add any. */
  addAt: typeof PATHS.campaignAdd | typeof PATHS.inhouseAdd | null;
  /** Stands above the list. */
  before?: ReactNode;
  note: ReactNode;
}

/** The page of an account's campaigns or cross promotions: filters, the list with its total, and its pages. */
export function CampaignList<Figures extends object, Campaign extends Figures & { uuid: string }>(
  props: CampaignListProps<Campaign, Figures>,
) {
  const { words, address, today, onChange, list, columns, skeleton, addAt, before, note } = props;
  const { ds, de, search } = address;
  const lines = useMemo(
    () => list.data?.campaigns.map((campaign): Line<Campaign, Figures> => ({ campaign, figures: campaign })) ?? [],
    [list.data],
  );
  // A changed filter starts at the first page again.
  const narrow = (part: Partial<CampaignsAddress>) => onChange({ ...part, p: 0 });
  const add = (label: string) =>
    addAt === null ? null : <Button renderRoot={(root) => <Link {...root} to={addAt} search={{}} />}>{label}</Button>;
  const empty =
    search === "" ? (
      <EmptyNote title={notFoundText(words.what)} why={words.none} action={add(words.addFirst) ?? undefined} />
    ) : (
      <EmptyNote
        title={notFoundText(words.what)}
        why={words.notFound(search)}
        action={
          <Button variant="default" onClick={() => narrow({ search: "" })}>
            {`Show all ${words.what}`}
          </Button>
        }
      />
    );
  return (
    <>
      <PageTitle text={words.page} />
      <div className={classes.bar} role="group" aria-label="Filters">
        <DateRangeFilter range={{ ds, de }} limits={{ ds: EARLIEST_DATE, de: today }} onApply={narrow} />
        <div className={classes.search}>
          <SearchBox label="Search campaign" value={search} onSearch={(text) => narrow({ search: text })} />
        </div>
        <div className={classes.aside}>
          {de === today ? <LiveMark updatedAtMs={list.dataUpdatedAt} failing={list.isError} /> : null}
          {add(words.add)}
        </div>
      </div>
      {before}
      <LoadedBlock
        title={words.title}
        repeatsHeading
        aside={(loaded) => (loaded ? countText(loaded.pager, loaded.campaigns.length) : undefined)}
        query={list}
        loading={loadingText(words.what)}
        retry={TEXTS.tryAgain}
        skeleton={<TableSkeleton columns={7} {...skeleton} />}
        isEmpty={(loaded) => loaded.campaigns.length === 0}
        empty={empty}
      >
        {(loaded) => (
          <div className={classes.list}>
            <DataTable
              caption={`${words.title} and their figures`}
              columns={columns}
              cards
              rows={lines}
              rowId={({ campaign }) => campaign?.uuid ?? "total"}
              total={{ campaign: null, figures: loaded.totals }}
            />
            <ListPager pager={loaded.pager} onPage={(p) => onChange({ p })} />
          </div>
        )}
      </LoadedBlock>
      <p className={classes.note}>{note}</p>
    </>
  );
}
