import { type AppSettings, FORMAT_LABELS, type StatRow, type Zone, notFoundText } from "@millrace/contract";
import { NO_NUMBER, addDays, dayOf, formatCount, formatMoney, formatRate } from "@millrace/units";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { dayText } from "../../../shared/day-text.ts";
import { PATHS } from "../../../shared/paths.ts";
import { RequestsLink } from "../../../shared/requests-link.tsx";
import { ConfirmModal } from "../../../ui/modal/confirm-modal.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { SkeletonBar } from "../../../ui/states/skeletons.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { RowAction, actionsColumn } from "../../../ui/table/row-actions.tsx";
import { useDeleteZone, useZoneFigures } from "../api.ts";
import { EditZone } from "./edit-zone.tsx";
import panels from "../parts/panels.module.css";
import classes from "./settings.module.css";

/** What is open over the list. */
type Opened = { what: "edit" | "delete"; zone: Zone };

/** The places in the app that request ads. */
export function Zones({ settings }: { settings: AppSettings }) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const { zones, app } = settings;
  const [days] = useState(lastDays);
  const { data, isError } = useZoneFigures(app.uuid, days);
  const figures = data ?? (isError ? null : undefined);
  const columns = useMemo(
    () => zoneColumns({ uuid: app.uuid, days, figures, onOpen: setOpened }),
    [app.uuid, days, figures],
  );
  const close = () => setOpened(null);
  // The refused change has loaded the settings again.
  const reload = async () => {
    const zone = zones.find((one) => one.zone === opened?.zone.zone);
    setOpened(zone ? { what: "edit", zone } : null);
    return { error: null };
  };
  return (
    <Panel title="Zones" aside={zones.length > 0 ? `${zones.length} in total` : undefined}>
      {zones.length === 0 ? (
        <EmptyNote
          title={notFoundText("zones")}
          why="A zone is a place in the app where ads are shown. It appears here after its first counted impression."
          action={
            <Link to={PATHS.appSettings} params={{ uuid: app.uuid }} search={{}}>
              Open the instructions
            </Link>
          }
        />
      ) : (
        <>
          <p className={panels.about}>
            A zone's name replaces its id in statistics, and opens its requests. The SDK requests a new banner after the
            refresh time. A zone of rewarded ads may have a reward of its own. Figures are of the last {DAYS} days,
            today included.
          </p>
          <DataTable cards caption="Zones of the app" columns={columns} rows={zones} rowId={({ zone }) => zone} />
        </>
      )}
      {opened?.what === "edit" ? (
        <EditZone uuid={app.uuid} zone={opened.zone} onClose={close} onReload={reload} />
      ) : null}
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
      Its name, refresh time and reward are deleted. Its statistics are kept under the id {zone.zone}. If the app still
      shows ads in it, the zone reappears with its next counted impression.
    </ConfirmModal>
  );
}

const DAYS = 7;

function lastDays(): { ds: string; de: string } {
  const de = dayOf(Date.now());
  return { ds: addDays(de, 1 - DAYS), de };
}

interface ZoneParts {
  uuid: string;
  days: { ds: string; de: string };
  /** By the zone's id; undefined while they load, and null if they cannot be loaded. */
  figures: ReadonlyMap<string, StatRow> | null | undefined;
  onOpen: (opened: Opened) => void;
}

function zoneColumns({ uuid, days, figures, onOpen }: ZoneParts): Column<Zone>[] {
  const figure = (id: string, head: string, text: (row: StatRow | null) => string): Column<Zone> => ({
    id,
    head,
    numeric: true,
    cell: ({ zone }) => {
      if (figures === undefined) return <SkeletonBar width="44px" />;
      return figures === null ? NO_NUMBER : text(figures.get(zone) ?? null);
    },
  });
  return [
    {
      id: "name",
      head: "Name and id",
      cell: ({ zone, name }) => (
        <>
          <RequestsLink uuid={uuid} filter={{ zone, ...days }} className={classes.zoneName}>
            {name}
            <span className="visually-hidden">: requests</span>
          </RequestsLink>
          <code className={classes.code}>{zone}</code>
        </>
      ),
    },
    { ...figure("revenue", "Revenue", (row) => formatMoney(row?.revenue ?? 0)), leads: true },
    figure("requests", "Requests", (row) => formatCount(row?.requests ?? 0)),
    figure("fillrate", "Fill rate", (row) => formatRate(row?.fillrate ?? null)),
    figure("ecpm", "eCPM", (row) => formatMoney(row?.ecpm ?? null)),
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
