import { Button } from "@mantine/core";
import type { NewsMail } from "@millrace/contract";
import { useMemo } from "react";
import { Modal } from "../../../ui/modal/modal.tsx";
import { useDialog } from "../../../ui/modal/use-dialog.ts";
import type { Column } from "../../../ui/table/data-table.tsx";
import { RowAction, actionsColumn } from "../../../ui/table/row-actions.tsx";
import { newsQuery } from "../api.ts";
import { formatMoment } from "../../../shared/day-text.ts";
import { AdminPage } from "../parts/admin-page.tsx";
import { NewsForm } from "../parts/news-form.tsx";
import classes from "../parts/parts.module.css";
import { SentNews } from "../parts/sent-news.tsx";

/** The news that was sent, and a form to send more. */
export function AdminNewsPage() {
  const { subject, opened, open, close } = useDialog<NewsMail | "new">();
  const columns = useMemo(() => newsColumns(open), [open]);
  return (
    <AdminPage
      title="News"
      content="news"
      searchLabel="Search subject or text"
      whyEmpty="No news has been sent yet."
      listQuery={newsQuery}
      rowsOf={({ news }) => news}
      rowId={({ uuid }) => uuid}
      columns={columns}
      action={<Button onClick={() => open("new")}>Write news</Button>}
    >
      <Modal
        opened={opened}
        onClose={close}
        title={subject === "new" || subject === null ? "Write news" : subject.subject}
      >
        {subject === "new" ? <NewsForm onDone={close} /> : null}
        {subject !== "new" && subject !== null ? <SentNews news={subject} onDone={close} /> : null}
      </Modal>
    </AdminPage>
  );
}

/** The counts that are not zero, in words. */
function countsText({ counts: { people, sent, waiting, failed, refused, left_out, unknown } }: NewsMail): string {
  const rest = [
    [waiting, "waiting"],
    [failed, "failed"],
    [refused, "refused"],
    [left_out, "left out"],
    [unknown, "unknown"],
  ] as const;
  const parts = rest.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return [`${sent} of ${people} sent`, ...parts].join(", ");
}

const newsColumns = (onOpen: (news: NewsMail) => void): Column<NewsMail>[] => [
  { id: "subject", head: "Subject", cell: ({ subject }) => <span className={classes.excerpt}>{subject}</span> },
  {
    id: "at",
    head: "Sent (UTC)",
    whole: true,
    cell: ({ sent_at }) => formatMoment(sent_at),
    exact: ({ sent_at }) => sent_at,
  },
  { id: "by", head: "By", cell: ({ sent_by }) => sent_by ?? "–" },
  { id: "counts", head: "People", cell: countsText },
  actionsColumn((news) => <RowAction label="Read" of={`“${news.subject}”`} onClick={() => onOpen(news)} />),
];
