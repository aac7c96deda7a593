import type { Reply, adminApps } from "@millrace/contract";
import { SdkPill } from "../../../shared/apps/sdk-pill.tsx";
import type { Column } from "../../../ui/table/data-table.tsx";
import { actionsColumn } from "../../../ui/table/row-actions.tsx";
import { appsQuery } from "../api.ts";
import { AdminPage } from "../parts/admin-page.tsx";
import { AppCell } from "../parts/app-cell.tsx";
import { NameOverLine } from "../../../ui/name-over-line.tsx";
import { SwitchButton } from "../parts/switch-button.tsx";

type AdminApp = Reply<typeof adminApps>["apps"][number];

const COLUMNS: Column<AdminApp>[] = [
  { id: "app", head: "App", cell: (app) => <AppCell app={app} /> },
  { id: "sdk", head: "SDK", leads: true, cell: (app) => <SdkPill app={app} /> },
  { id: "owner", head: "Owner", cell: ({ owner }) => <NameOverLine name={owner.name} line={owner.email} /> },
  actionsColumn(({ owner }) => <SwitchButton user={owner} />),
];

/** The apps of all accounts. */
export function AdminAppsPage() {
  return (
    <AdminPage
      title="Admin apps"
      content="apps"
      searchLabel="Search name, bundle or owner"
      whyEmpty="No account has an app yet."
      listQuery={appsQuery}
      rowsOf={({ apps }) => apps}
      rowId={({ uuid }) => uuid}
      columns={COLUMNS}
    />
  );
}
