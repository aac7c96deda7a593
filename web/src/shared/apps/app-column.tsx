import { type NamedApp, PLATFORM_LABELS } from "@millrace/contract";
import { NameOverLine } from "../../ui/name-over-line.tsx";
import type { Column } from "../../ui/table/data-table.tsx";

/** The column of a list whose rows are about apps, with each app's platform. */
export const APP_COLUMN: Column<{ app: NamedApp }> = {
  id: "app",
  head: "App",
  cell: ({ app }) => <NameOverLine name={app.name} line={PLATFORM_LABELS[app.platform]} />,
};
