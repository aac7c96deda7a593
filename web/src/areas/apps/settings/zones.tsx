import { Button } from "@mantine/core";
import { type AppSettings, FORMAT_LABELS, type Zone, notFoundText } from "@millrace/contract";
import { useMemo, useState } from "react";
import { dayText } from "../../../shared/day-text.ts";
import { Panel } from "../../../ui/panel.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { EditZone } from "./edit-zone.tsx";
import panels from "../parts/panels.module.css";
import classes from "./settings.module.css";

/** The places in the app that request ads. */
export function Zones({ settings, onInstructions }: { settings: AppSettings; onInstructions: () => void }) {
  const [editing, setEditing] = useState<Zone | null>(null);
  const columns = useMemo(() => zoneColumns(setEditing), []);
  const { zones, app } = settings;
  return (
    <Panel title="Zones" aside={zones.length > 0 ? `${zones.length} in all` : undefined}>
      {zones.length === 0 ? (
        <EmptyNote
          title={notFoundText("zones")}
          why="A zone is a place of the app where an ad is shown. It stands here once the app has asked for an ad in it."
          action={
            <Button variant="default" onClick={onInstructions}>
              Open the instructions
            </Button>
          }
        />
      ) : (
        <>
          <p className={panels.about}>
            A zone's name is for you: in statistics it stands instead of the id. The SDK asks for a new banner after the
            refresh time.
          </p>
          <DataTable caption="Zones of the app" columns={columns} rows={zones} rowId={({ zone }) => zone} />
        </>
      )}
      {editing === null ? null : <EditZone uuid={app.uuid} zone={editing} onClose={() => setEditing(null)} />}
    </Panel>
  );
}

function zoneColumns(onEdit: (zone: Zone) => void): Column<Zone>[] {
  return [
    { id: "name", head: "Name", cell: ({ name }) => <span className={classes.zoneName}>{name}</span> },
    { id: "zone", head: "Zone id", cell: ({ zone }) => <code className={classes.code}>{zone}</code> },
    { id: "format", head: "Format", cell: ({ format }) => FORMAT_LABELS[format] },
    { id: "refresh", head: "Refresh", numeric: true, cell: ({ refresh_seconds }) => `${refresh_seconds} s` },
    {
      id: "seen",
      head: "First seen",
      numeric: true,
      cell: ({ first_seen_at }) => dayText(first_seen_at),
      exact: ({ first_seen_at }) => `${first_seen_at} (UTC)`,
    },
    {
      id: "edit",
      head: "Edit",
      numeric: true,
      cell: (zone) => (
        <Button variant="default" size="xs" aria-label={`Edit ${zone.name}`} onClick={() => onEdit(zone)}>
          Edit
        </Button>
      ),
    },
  ];
}
