import type { AuditEntry } from "@millrace/contract";
import type { Column } from "../../../ui/table/data-table.tsx";
import { auditQuery } from "../api.ts";
import { formatMoment } from "../../../shared/day-text.ts";
import { AdminPage } from "../parts/admin-page.tsx";
import { Details } from "../parts/details.tsx";
import classes from "../parts/parts.module.css";

/** `user_blocked` reads `User blocked`. */
export function actionWords(action: string): string {
  const words = action.replaceAll(/[_.-]+/g, " ").trim();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** A word that may be long. */
const Cut = ({ text }: { text: string }) => (
  <span className={classes.cut} title={text}>
    {text}
  </span>
);
const Faint = ({ children }: { children: string }) => <span className={classes.faint}>{children}</span>;

const COLUMNS: Column<AuditEntry>[] = [
  { id: "what", head: "What", cell: ({ action }) => actionWords(action), exact: ({ action }) => action },
  { id: "at", head: "When (UTC)", whole: true, cell: ({ at }) => formatMoment(at), leads: true, exact: ({ at }) => at },
  {
    id: "who",
    head: "Who",
    cell: ({ actor }) => (actor === null ? <Faint>the platform or a deleted user</Faint> : <Cut text={actor} />),
  },
  { id: "as", head: "As", cell: ({ as_user }) => (as_user === null ? <Faint>–</Faint> : <Cut text={as_user} />) },
  {
    id: "account",
    head: "Account",
    cell: ({ account }) => (account === null ? <Faint>–</Faint> : <Cut text={account} />),
  },
  { id: "from", head: "From", cell: ({ address }) => (address === null ? <Faint>–</Faint> : <Cut text={address} />) },
  { id: "details", head: "Details", cell: (entry) => <Details entry={entry} /> },
];

/** Who did what, for whom and when; the newest first. */
export function AdminAuditPage() {
  return (
    <AdminPage
      title="Audit log"
      content="entries"
      searchLabel="Search person or action"
      whyEmpty="No actions have been recorded yet."
      listQuery={auditQuery}
      rowsOf={({ entries }) => entries}
      rowId={({ id }) => String(id)}
      columns={COLUMNS}
    />
  );
}
