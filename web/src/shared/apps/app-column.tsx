import { type NamedApp, PLATFORM_LABELS } from "@millrace/contract";
import { NameOverLine } from "../../ui/name-over-line.tsx";
import type { Column } from "../../ui/table/data-table.tsx";

/** A column that names the app of each row, with its platform. */
export const APP_COLUMN: Column<{ app: NamedApp }> = {
  id: "app",
  head: "App",
  cell: ({ app }) => <NameOverLine name={app.name} line={PLATFORM_LABELS[app.platform]} />,
};
