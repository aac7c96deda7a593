import { type AppPartner, type AppSettings, DSP_FORMATS, notFoundText } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { messageOf } from "../../../shared/call-api.ts";
import { PATHS } from "../../../shared/paths.ts";
import { useMayUse } from "../../../shared/session.ts";
import { Switch } from "../../../ui/form/switch.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { useSwitchPartner } from "../api.ts";
import { FORMAT_WORDS, PartnerName } from "../parts/partner-name.tsx";
import panels from "../parts/panels.module.css";
import classes from "./settings.module.css";

const SHOWN = [
  { id: "keyed", label: "With keys" },
  { id: "all", label: "All partners" },
] as const;

/** The partners that take part in the app's auctions. */
export function Partners({ settings: { app, partners } }: { settings: AppSettings }) {
  const [shown, setShown] = useState<(typeof SHOWN)[number]["id"]>("keyed");
  const columns = useMemo(() => partnerColumns(app.uuid), [app.uuid]);
  const sorted = partners.toSorted((a, b) => rankOf(a) - rankOf(b) || a.name.localeCompare(b.name));
  const keyed = sorted.filter((partner) => partner.keyed.length > 0);
  const rows = shown === "keyed" ? keyed : sorted;
  const taking = keyed.filter(({ enabled, active }) => enabled && active).length;
  return (
    <Panel
      title="Partners"
      aside={<Segments label="Partners shown" options={SHOWN} chosen={shown} onChoose={setShown} />}
    >
      <p className={panels.about}>
        {taking} of {partners.length} partners bid for this app. A partner that is switched off is left out from the
        next auction on; its keys are kept.
      </p>
      {rows.length === 0 ? (
        <EmptyNote
          title={notFoundText("partners with keys")}
          why="A partner bids once the app has its keys."
          action={<KeysLink uuid={app.uuid} />}
        />
      ) : (
        <DataTable caption="Partners of the app" columns={columns} rows={rows} rowId={({ id }) => id} maxHeight={460} />
      )}
    </Panel>
  );
}

const partnerColumns = (uuid: string): Column<AppPartner>[] => [
  {
    id: "name",
    head: "Partner",
    cell: ({ name }) => <PartnerName name={name} />,
  },
  { id: "state", head: "Takes part", cell: (partner) => <PartnerState uuid={uuid} partner={partner} /> },
  { id: "formats", head: "Buys", cell: ({ formats }) => wordsOf(formats) || "–" },
  { id: "keyed", head: "Keys for", cell: ({ keyed }) => wordsOf(keyed) || <span className={classes.faint}>none</span> },
];

/** Partners that can bid first, then those without keys, then those the platform has disabled. */
const rankOf = ({ keyed, active }: AppPartner) => (active ? 0 : 2) + (keyed.length > 0 ? 0 : 1);

const wordsOf = (formats: AppPartner["formats"]) =>
  DSP_FORMATS.filter((format) => formats.includes(format))
    .map((format) => FORMAT_WORDS[format])
    .join(", ");

function PartnerState({ uuid, partner }: { uuid: string; partner: AppPartner }) {
  const change = useSwitchPartner(uuid);
  const { id, name, keyed, active, enabled } = partner;
  if (!active) return <span className={classes.faint}>disabled by the platform</span>;
  if (keyed.length === 0) return <KeysLink uuid={uuid} partner={name} />;
  return (
    <span className={classes.switching}>
      {change.isError ? (
        <span className={classes.refused} role="alert">
          {messageOf(change.error)}
        </span>
      ) : null}
      <Switch
        label={`${name} takes part`}
        words={enabled ? "on" : "off"}
        on={enabled}
        pending={change.isPending}
        onChange={(on) => change.mutate({ partner: id, enabled: on })}
      />
    </span>
  );
}

function KeysLink({ uuid, partner }: { uuid: string; partner?: string }) {
  const may = useMayUse();
  if (!may("keys.manage")) return <span className={classes.faint}>no keys</span>;
  return (
    <Link to={PATHS.appDsp} params={{ uuid }} search={{}} className={classes.link}>
      Add keys {partner === undefined ? null : <span className="visually-hidden">at {partner}</span>}
    </Link>
  );
}
