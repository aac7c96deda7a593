import { type KillSwitch, loadingText } from "@millrace/contract";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { COUNTRY_OPTIONS } from "../../../shared/countries.ts";
import { formatMoment } from "../../../shared/day-text.ts";
import { HelpLink } from "../../../shared/help-link.tsx";
import { ConfirmModal } from "../../../ui/modal/confirm-modal.tsx";
import { Modal } from "../../../ui/modal/modal.tsx";
import { useDialog } from "../../../ui/modal/use-dialog.ts";
import { NameOverLine } from "../../../ui/name-over-line.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { RowAction, actionsColumn } from "../../../ui/table/row-actions.tsx";
import { killSwitchesQuery, useEndKillSwitch } from "../partners-api.ts";
import { KillSwitchForm } from "./kill-switch-form.tsx";
import classes from "./parts.module.css";

const FORM_WIDTH = 520;

/** What the operator has switched off at once: partners, and the SDK itself. */
export function KillSwitchesBlock({ partners }: { partners: readonly { id: string; name: string }[] }) {
  const switches = useQuery(killSwitchesQuery);
  const adding = useDialog<object>();
  const ending = useDialog<KillSwitch>();
  const end = useEndKillSwitch();
  const { tell } = useNotify();
  const rest = ending.subject ? restOf(ending.subject, switches.data?.switches ?? []) : 0;
  return (
    <>
      <LoadedBlock
        title="Kill switches"
        aside={
          <Button size="xs" variant="default" onClick={() => adding.open({})}>
            Switch something off
          </Button>
        }
        query={switches}
        loading={loadingText("kill switches")}
        skeleton={<TableSkeleton rows={2} columns={5} />}
        isEmpty={(data) => data.switches.length === 0}
        empty={
          <EmptyNote
            title="Nothing is switched off"
            why="A switch stops a partner, or the SDK itself, for an app, SDK versions or countries. Every exchange follows within 5 seconds."
            action={<HelpLink to="operators/partners#kill-switches">How kill switches work</HelpLink>}
          />
        }
      >
        {(data) => (
          <DataTable
            caption="Kill switches"
            columns={columnsOf(ending.open)}
            rows={data.switches}
            rowId={({ id }) => id}
            fold={{
              rows: data.switches.filter(({ ended_at: ended }) => ended === null).length,
              more: (hidden) => `${hidden} that have ended`,
              fewer: "Hide those that have ended",
            }}
            cards
          />
        )}
      </LoadedBlock>
      <Modal opened={adding.opened} onClose={adding.close} title="Switch something off" width={FORM_WIDTH}>
        {adding.subject ? <KillSwitchForm partners={partners} onDone={adding.close} /> : null}
      </Modal>
      <ConfirmModal
        opened={ending.opened}
        onClose={ending.close}
        title="End the kill switch?"
        confirm="End switch"
        onConfirm={async () => {
          if (!ending.subject) return;
          const left = restOf(ending.subject, (await end.mutateAsync(ending.subject.id)).switches);
          const name = nameOf(ending.subject);
          const result =
            left === 0
              ? `${name} is switched on again`
              : `The switch has ended. ${name} stays off ${whereOthers(left)}`;
          tell(`${result}. Every exchange follows within 5 seconds`);
        }}
      >
        {ending.subject ? (
          <p>
            {nameOf(ending.subject)} takes part in auctions again: {scopeOf(ending.subject)}
            {rest === 0 ? "." : `. It stays off ${whereOthers(rest)}.`}
          </p>
        ) : null}
      </ConfirmModal>
    </>
  );
}

/** How many other switches in force stop this partner, or the SDK as a whole, for some or all requests. */
const restOf = ({ id, partner }: KillSwitch, switches: readonly KillSwitch[]): number =>
  switches.filter(
    (other) => other.id !== id && other.ended_at === null && (other.partner === null || other.partner === partner),
  ).length;

const whereOthers = (switches: number): string =>
  `where ${switches === 1 ? "another switch is" : `${switches} other switches are`} in force`;

const nameOf = ({ partner, partner_name: name }: KillSwitch): string =>
  partner === null ? "The SDK itself" : (name ?? partner);

const COUNTRY_NAMES = new Map(COUNTRY_OPTIONS.map(({ value, label }) => [value, label]));

function scopeOf({ app, app_name: name, sdk_from: from, sdk_to: to, countries }: KillSwitch): string {
  const versions =
    from === null ? (to === null ? [] : [`SDK up to ${to}`]) : [to === null ? `SDK from ${from}` : rangeOf(from, to)];
  const parts = [
    ...(app === null ? [] : [name ?? app]),
    ...versions,
    ...(countries.length === 0 ? [] : [countries.map((code) => COUNTRY_NAMES.get(code) ?? code).join(", ")]),
  ];
  return parts.length === 0 ? "all requests" : parts.join(" · ");
}

const rangeOf = (from: string, to: string): string => (from === to ? `SDK ${from}` : `SDK ${from} to ${to}`);

const timeAndAuthor = (at: string, email: string | null): string =>
  `${formatMoment(at)}${email === null ? "" : `, ${email}`}`;

const columnsOf = (onEnd: (killSwitch: KillSwitch) => void): Column<KillSwitch>[] => [
  {
    id: "what",
    head: "Off",
    cell: (killSwitch) => <NameOverLine name={nameOf(killSwitch)} line={scopeOf(killSwitch)} />,
  },
  {
    id: "state",
    head: "State",
    leads: true,
    cell: ({ ended_at: ended }) =>
      ended === null ? (
        <span className={classes.mark} data-kind="danger">
          In force
        </span>
      ) : (
        <span className={classes.mark}>Ended</span>
      ),
  },
  { id: "reason", head: "Reason", cell: ({ reason }) => <span className={classes.excerpt}>{reason}</span> },
  { id: "since", head: "Since (UTC)", cell: ({ created_at: at, created_by: who }) => timeAndAuthor(at, who) },
  {
    id: "until",
    head: "Until (UTC)",
    cell: ({ ended_at: at, ended_by: who }) => (at === null ? "–" : timeAndAuthor(at, who)),
  },
  actionsColumn((killSwitch) =>
    killSwitch.ended_at === null ? (
      <RowAction label="End" of={`the switch of ${nameOf(killSwitch)}`} onClick={() => onEnd(killSwitch)} />
    ) : null,
  ),
];
