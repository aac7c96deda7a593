import type { DeskMessage } from "@millrace/contract";
import { useMemo } from "react";
import { Modal } from "../../../ui/modal/modal.tsx";
import { useDialog } from "../../../ui/modal/use-dialog.ts";
import { NameOverLine } from "../../../ui/name-over-line.tsx";
import type { Column } from "../../../ui/table/data-table.tsx";
import { RowAction, actionsColumn } from "../../../ui/table/row-actions.tsx";
import { supportQuery } from "../api.ts";
import { formatMoment } from "../../../shared/day-text.ts";
import { AdminPage } from "../parts/admin-page.tsx";
import { SupportMessage } from "../parts/support-message.tsx";
import classes from "../parts/parts.module.css";

/** Messages to support, unanswered ones first. */
export function AdminSupportPage() {
  const { subject, opened, open, close } = useDialog<DeskMessage>();
  const columns = useMemo(() => messageColumns(open), [open]);
  return (
    <AdminPage
      title="Support"
      content="messages"
      searchLabel="Search text or person"
      whyEmpty="No messages have been sent to support."
      listQuery={supportQuery}
      rowsOf={({ messages }) => messages}
      rowId={({ uuid }) => uuid}
      columns={columns}
    >
      <Modal opened={opened} onClose={close} title={subject?.state === "open" ? "Answer message" : "Message"}>
        {subject ? <SupportMessage message={subject} onDone={close} /> : null}
      </Modal>
    </AdminPage>
  );
}

const messageColumns = (onOpen: (message: DeskMessage) => void): Column<DeskMessage>[] => [
  { id: "who", head: "From", cell: ({ writer }) => <NameOverLine name={writer.name} line={writer.email} /> },
  { id: "message", head: "Message", cell: ({ message }) => <span className={classes.excerpt}>{message}</span> },
  {
    id: "at",
    head: "Written (UTC)",
    whole: true,
    cell: ({ created_at }) => formatMoment(created_at),
    exact: ({ created_at }) => created_at,
  },
  { id: "state", head: "State", leads: true, cell: State },
  actionsColumn((message) => (
    <RowAction
      label={message.state === "open" ? "Answer" : "Read"}
      of={`the message of ${message.writer.name}`}
      primary={message.state === "open"}
      onClick={() => onOpen(message)}
    />
  )),
];

const State = ({ state }: DeskMessage) =>
  state === "open" ? (
    <span className={classes.mark} data-kind="danger">
      Open
    </span>
  ) : (
    <span className={classes.mark}>Answered</span>
  );
