import type { Reply, adminApps } from "@millrace/contract";
import { useMemo } from "react";
import { SdkPill } from "../../../shared/apps/sdk-pill.tsx";
import type { Column } from "../../../ui/table/data-table.tsx";
import { RowAction, actionsColumn } from "../../../ui/table/row-actions.tsx";
import { useDialog } from "../../../ui/modal/use-dialog.ts";
import { appsQuery } from "../api.ts";
import { AdminPage } from "../parts/admin-page.tsx";
import { appInFull } from "../../../shared/apps/app-in-full.ts";
import { AppCell } from "../parts/app-cell.tsx";
import { NameOverLine } from "../../../ui/name-over-line.tsx";
import { type AppDecision, DecideApp } from "../parts/decide-app.tsx";
import { SwitchButton } from "../parts/switch-button.tsx";

type AdminApp = Reply<typeof adminApps>["apps"][number];

const columnsOf = (onDecide: (decision: AppDecision) => void): Column<AdminApp>[] => [
  { id: "app", head: "App", cell: (app) => <AppCell app={app} /> },
  { id: "sdk", head: "SDK", leads: true, cell: (app) => <SdkPill app={app} /> },
  { id: "owner", head: "Owner", cell: ({ owner }) => <NameOverLine name={owner.name} line={owner.email} /> },
  actionsColumn((app) => (
    <>
      {app.moderation === "live" ? null : (
        <RowAction label="Approve" of={appInFull(app)} onClick={() => onDecide({ app, decision: "approve" })} />
      )}
      {app.moderation === "banned" ? null : (
        <RowAction label="Ban" of={appInFull(app)} onClick={() => onDecide({ app, decision: "ban" })} />
      )}
      <SwitchButton user={app.owner} />
    </>
  )),
];

/** The apps of all accounts, whether they wait for a decision or not. */
export function AdminAppsPage() {
  const { subject, opened, open, close } = useDialog<AppDecision>();
  const columns = useMemo(() => columnsOf(open), [open]);
  return (
    <AdminPage
      title="Admin apps"
      content="apps"
      searchLabel="Search name, bundle or owner"
      whyEmpty="No account has an app yet."
      listQuery={appsQuery}
      rowsOf={({ apps }) => apps}
      rowId={({ uuid }) => uuid}
      columns={columns}
    >
      <DecideApp subject={subject} opened={opened} onClose={close} />
    </AdminPage>
  );
}
