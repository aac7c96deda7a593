import {
  ADMIN_DEDUCTION_FILTERS,
  type AdminDeduction,
  type AdminDeductionFilter,
  DEDUCTION_REASON_LABELS,
} from "@millrace/contract";
import { formatDay, formatMoneyExact } from "@millrace/units";
import { useMemo } from "react";
import { APP_COLUMN } from "../../../shared/apps/app-column.tsx";
import { deductionName, stateWords } from "../../../shared/deductions/deduction-words.ts";
import { type Search, oneOf } from "../../../shared/filters/address.ts";
import { useAddress } from "../../../shared/filters/use-address.ts";
import { Modal } from "../../../ui/modal/modal.tsx";
import { useDialog } from "../../../ui/modal/use-dialog.ts";
import { NameOverLine } from "../../../ui/name-over-line.tsx";
import { Segments } from "../../../ui/segments.tsx";
import type { Column } from "../../../ui/table/data-table.tsx";
import { RowAction, actionsColumn } from "../../../ui/table/row-actions.tsx";
import { deductionsQuery } from "../api.ts";
import { AdminPage } from "../parts/admin-page.tsx";
import { DeductionDesk, actionOn } from "../parts/deduction-desk.tsx";
import classes from "../parts/parts.module.css";

interface Address {
  state: Exclude<AdminDeductionFilter, "all"> | undefined;
  p?: number | undefined;
}

function readState(search: Search): Address {
  const state = oneOf(ADMIN_DEDUCTION_FILTERS, search["state"], "all");
  return { state: state === "all" ? undefined : state };
}

const FILTER_LABELS = {
  all: "All",
  noted: "Noted",
  disputed: "Disputed",
  upheld: "Upheld",
  reversed: "Reversed",
} as const satisfies Record<AdminDeductionFilter, string>;
const DIALOG_WIDTH = 520;

/** Deductions of all accounts, those that wait for an answer first. */
export function AdminDeductionsPage() {
  const [{ state = "all" }, change] = useAddress(readState);
  const { subject, opened, open, close } = useDialog<AdminDeduction>();
  const columns = useMemo(() => deductionColumns(open), [open]);
  return (
    <AdminPage
      title="Deductions"
      content="deductions"
      searchLabel="Search owner or ID"
      whyEmpty={
        state === "all"
          ? "Nothing has been deducted. Deductions are noted in the list of users."
          : "No deduction is in this state."
      }
      listQuery={(query) => deductionsQuery({ ...query, state })}
      rowsOf={({ deductions }) => deductions}
      rowId={({ uuid }) => uuid}
      columns={columns}
      above={
        <div className={classes.lists}>
          <Segments
            label="State"
            options={ADMIN_DEDUCTION_FILTERS.map((id) => ({ id, label: FILTER_LABELS[id] }))}
            chosen={state}
            onChoose={(next) => change({ state: next === "all" ? undefined : next, p: undefined })}
          />
        </div>
      }
    >
      <Modal
        opened={opened}
        onClose={close}
        title={subject ? `${actionOn(subject)} deduction` : ""}
        width={DIALOG_WIDTH}
      >
        {subject ? <DeductionDesk deduction={subject} onDone={close} /> : null}
      </Modal>
    </AdminPage>
  );
}

const deductionColumns = (onOpen: (deduction: AdminDeduction) => void): Column<AdminDeduction>[] => [
  { id: "owner", head: "Owner", cell: Owner },
  { id: "day", head: "Day (UTC)", whole: true, cell: ({ day }) => formatDay(day), exact: ({ day }) => day },
  {
    id: "what",
    head: "What for",
    cell: ({ reason, explanation }) => (
      <span className={classes.excerpt}>
        {DEDUCTION_REASON_LABELS[reason]}: {explanation}
      </span>
    ),
  },
  APP_COLUMN,
  { id: "partner", head: "Partner", cell: ({ provider_name }) => provider_name ?? "–" },
  { id: "amount", head: "Amount", numeric: true, leads: true, cell: ({ amount }) => formatMoneyExact(amount) },
  { id: "state", head: "State", cell: State },
  actionsColumn((deduction) => (
    <RowAction
      label={actionOn(deduction)}
      of={deductionName(deduction)}
      primary={deduction.state === "disputed"}
      onClick={() => onOpen(deduction)}
    />
  )),
];

const Owner = ({ owner }: AdminDeduction) =>
  owner === null ? (
    <span className={classes.faint}>a deleted account</span>
  ) : (
    <NameOverLine name={owner.name} line={owner.email} />
  );

const State = (deduction: AdminDeduction) => (
  <span className={classes.mark} data-kind={deduction.state === "disputed" ? "danger" : undefined}>
    {stateWords(deduction)}
  </span>
);
