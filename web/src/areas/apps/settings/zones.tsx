import { Button } from "@mantine/core";
import { type AppSettings, FORMAT_LABELS, type Zone, notFoundText } from "@millrace/contract";
import { useMemo, useState } from "react";
import { dayText } from "../../../shared/day-text.ts";
import { ConfirmModal } from "../../../ui/modal/confirm-modal.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { RowAction, actionsColumn } from "../../../ui/table/row-actions.tsx";
import { useDeleteZone } from "../api.ts";
import { EditZone } from "./edit-zone.tsx";
import panels from "../parts/panels.module.css";
import classes from "./settings.module.css";

/** What is open over the list. */
type Opened = { what: "edit" | "delete"; zone: Zone };

/** The places in the app that request ads. */
export function Zones({ settings, onInstructions }: { settings: AppSettings; onInstructions: () => void }) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const columns = useMemo(() => zoneColumns(setOpened), []);
  const close = () => setOpened(null);
  const { zones, app } = settings;
  return (
    <Panel title="Zones" aside={zones.length > 0 ? `${zones.length} in total` : undefined}>
      {zones.length === 0 ? (
        <EmptyNote
          title={notFoundText("zones")}
          why="A zone is a place in the app where ads are shown. It appears here after its first counted impression."
          action={
            <Button variant="default" onClick={onInstructions}>
              Open the instructions
            </Button>
          }
        />
      ) : (
        <>
          <p className={panels.about}>
            A zone's name replaces its id in statistics. The SDK requests a new banner after the refresh time.
          </p>
          <DataTable caption="Zones of the app" columns={columns} rows={zones} rowId={({ zone }) => zone} />
        </>
      )}
      {opened?.what === "edit" ? <EditZone uuid={app.uuid} zone={opened.zone} onClose={close} /> : null}
      {opened?.what === "delete" ? <DeleteZone uuid={app.uuid} zone={opened.zone} onClose={close} /> : null}
    </Panel>
  );
}

/** Asks before a zone goes. */
function DeleteZone({ uuid, zone, onClose }: { uuid: string; zone: Zone; onClose: () => void }) {
  const remove = useDeleteZone(uuid);
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={`Delete zone ${zone.zone}?`}
      confirm="Delete zone"
      onConfirm={() => remove.mutateAsync(zone.zone)}
    >
      Its name and refresh time are deleted. Its statistics are kept under the id {zone.zone}. If the app still shows
      ads in it, the zone reappears with its next counted impression.
    </ConfirmModal>
  );
}

function zoneColumns(onOpen: (opened: Opened) => void): Column<Zone>[] {
  return [
    { id: "name", head: "Name", cell: ({ name }) => <span className={classes.zoneName}>{name}</span> },
    { id: "zone", head: "Zone id", cell: ({ zone }) => <code className={classes.code}>{zone}</code> },
    { id: "format", head: "Format", cell: ({ format }) => FORMAT_LABELS[format] },
    {
      id: "refresh",
      head: "Refresh",
      numeric: true,
      // Banners alone are replaced while they are shown.
      cell: ({ format, refresh_seconds }) => (format === "banner" ? `${refresh_seconds} s` : "–"),
    },
    {
      id: "seen",
      head: "First seen",
      numeric: true,
      cell: ({ first_seen_at }) => dayText(first_seen_at),
      exact: ({ first_seen_at }) => `${first_seen_at} (UTC)`,
    },
    actionsColumn((zone) => (
      <>
        <RowAction label="Edit" of={zone.name} onClick={() => onOpen({ what: "edit", zone })} />
        <RowAction label="Delete" of={zone.name} onClick={() => onOpen({ what: "delete", zone })} />
      </>
    )),
  ];
}
