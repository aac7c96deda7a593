import { type Pager as PagerState, loadingText, notFoundText } from "@millrace/contract";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { SearchBox } from "../../../ui/fields/search-box.tsx";
import { PageTitle } from "../../../ui/page-title.tsx";
import { countText } from "../../../ui/pager/count-text.ts";
import { ListPager } from "../../../shared/list-pager.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import type { ListParams, ListQuery } from "../api.ts";
import { useListQuery } from "../use-list-query.ts";
import { AdminTabs } from "./admin-tabs.tsx";
import classes from "./parts.module.css";

const SKELETON_ROWS = 8;
const ROW_HEIGHT = 50;

interface AdminPageProps<Reply extends { pager: PagerState }, Row> {
  title: string;
  /** The listed things in the plural: `users`. */
  content: string;
  /** The fields that the search covers. */
  searchLabel: string;
  /** Explains an empty list when nothing was searched for. */
  whyEmpty: string;
  listQuery: (params: ListParams) => ListQuery<Reply>;
  rowsOf: (reply: Reply) => readonly Row[];
  rowId: (row: Row) => string;
  columns: readonly Column<Row>[];
  /** A button beside the search. */
  action?: ReactNode;
  /** Above the list, such as links to lists like it. */
  above?: ReactNode;
  /** Rendered beside the table, such as an open modal. */
  children?: ReactNode;
}

/** An admin page: a searchable, paginated list. */
export function AdminPage<Reply extends { pager: PagerState }, Row extends object>(props: AdminPageProps<Reply, Row>) {
  const { title, content, searchLabel, whyEmpty, listQuery, rowsOf, rowId, columns } = props;
  const { params, search, page } = useListQuery();
  const list = useQuery(listQuery(params));
  return (
    <>
      <PageTitle text={title} />
      <div className={classes.bar}>
        <AdminTabs />
        <div className={classes.search}>
          <SearchBox key={title} label={searchLabel} value={params.search} onSearch={search} />
        </div>
        {props.action}
      </div>
      {props.above}
      <LoadedBlock
        title={title}
        repeatsHeading
        aside={(reply) => (reply ? countText(reply.pager, rowsOf(reply).length) : undefined)}
        query={list}
        loading={loadingText(content)}
        skeleton={<TableSkeleton rows={SKELETON_ROWS} columns={columns.length} rowHeight={ROW_HEIGHT} />}
        isEmpty={(reply) => rowsOf(reply).length === 0}
        empty={<Nothing content={content} why={whyEmpty} params={params} onAll={() => search("")} />}
      >
        {(reply) => (
          <>
            <div className={classes.list}>
              <DataTable caption={`List of ${content}`} columns={columns} rows={rowsOf(reply)} rowId={rowId} cards />
            </div>
            <ListPager pager={reply.pager} onPage={page} />
          </>
        )}
      </LoadedBlock>
      {props.children}
    </>
  );
}

/** An empty list: there is nothing yet, nothing on this page, or nothing that matches. */
export function Nothing({
  content,
  why,
  params,
  onAll,
}: {
  content: string;
  why: string;
  params: ListParams;
  onAll: () => void;
}) {
  if (params.search === "" && params.p === 0) return <EmptyNote title={notFoundText(content)} why={why} />;
  return (
    <EmptyNote
      title={notFoundText(content)}
      why={params.search === "" ? "There is nothing on this page." : `Nothing matches “${params.search}”.`}
      action={
        <Button variant="default" onClick={onAll}>
          Show all {content}
        </Button>
      }
    />
  );
}
