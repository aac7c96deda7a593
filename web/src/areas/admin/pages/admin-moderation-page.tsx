import type { Reply, moderationQueue } from "@millrace/contract";
import { useMemo } from "react";
import { useDialog } from "../../../ui/modal/use-dialog.ts";
import type { Column } from "../../../ui/table/data-table.tsx";
import { RowAction, actionsColumn } from "../../../ui/table/row-actions.tsx";
import { moderationQuery } from "../api.ts";
import { formatMoment } from "../../../shared/day-text.ts";
import { durationSince } from "../duration-since.ts";
import { AdminPage } from "../parts/admin-page.tsx";
import { appInFull } from "../../../shared/apps/app-in-full.ts";
import { AppCell } from "../parts/app-cell.tsx";
import { type AppDecision, DecideApp } from "../parts/decide-app.tsx";
import { ModerationTabs } from "../parts/moderation-tabs.tsx";
import classes from "../parts/parts.module.css";
import { NameOverLine } from "../../../ui/name-over-line.tsx";

type WaitingApp = Reply<typeof moderationQueue>["apps"][number];

/** Apps that must be approved before they can serve. */
export function AdminModerationPage() {
  const { subject, opened, open, close } = useDialog<AppDecision>();
  const columns = useMemo(() => waitingColumns(open), [open]);
  return (
    <AdminPage
      title="Moderation: new apps"
      content="apps"
      searchLabel="Search name, bundle or owner"
      whyEmpty="No app is waiting for review."
      listQuery={moderationQuery}
      rowsOf={({ apps }) => apps}
      rowId={({ uuid }) => uuid}
      columns={columns}
      above={<ModerationTabs />}
    >
      <DecideApp subject={subject} opened={opened} onClose={close} />
    </AdminPage>
  );
}

const waitingColumns = (onDecide: (decision: AppDecision) => void): Column<WaitingApp>[] => [
  { id: "app", head: "App", cell: (app) => <AppCell app={app} /> },
  { id: "store", head: "Store page", cell: StorePage },
  { id: "owner", head: "Owner", cell: ({ owner }) => <NameOverLine name={owner.name} line={owner.email} /> },
  {
    id: "waiting",
    head: "Waiting for",
    leads: true,
    cell: ({ waiting_since }) => durationSince(waiting_since, Date.now()),
    exact: ({ waiting_since }) => `since ${formatMoment(waiting_since)} UTC`,
  },
  actionsColumn((waiting) => {
    const app = { ...waiting, moderation: "check" } as const;
    return (
      <>
        <RowAction label="Approve" of={appInFull(app)} primary onClick={() => onDecide({ app, decision: "approve" })} />
        <RowAction label="Ban" of={appInFull(app)} onClick={() => onDecide({ app, decision: "ban" })} />
      </>
    );
  }),
];

/** Links only web addresses, because the owner may have entered anything. */
function StorePage({ url, name }: WaitingApp) {
  if (url === null || !/^https?:\/\//i.test(url)) return <span className={classes.faint}>none</span>;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      Open <span className="visually-hidden">the store page of {name} in a new tab</span>
    </a>
  );
}
