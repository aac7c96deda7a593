import type { AdminUser } from "@millrace/contract";
import { formatBalance, formatMoney, formatMoneyExact } from "@millrace/units";
import { useMemo } from "react";
import { dayText, formatMoment } from "../../../shared/day-text.ts";
import { useKnownSession } from "../../../shared/session.ts";
import { Modal } from "../../../ui/modal/modal.tsx";
import { useDialog } from "../../../ui/modal/use-dialog.ts";
import type { Column } from "../../../ui/table/data-table.tsx";
import { RowAction, actionsColumn } from "../../../ui/table/row-actions.tsx";
import { usersQuery } from "../api.ts";
import { AdminPage } from "../parts/admin-page.tsx";
import { AdjustForm } from "../parts/adjust-form.tsx";
import { BlockForm } from "../parts/block-form.tsx";
import { CreditAdvertiserForm } from "../parts/credit-advertiser-form.tsx";
import { DeductForm } from "../parts/deduct-form.tsx";
import classes from "../parts/parts.module.css";
import { NameOverLine } from "../../../ui/name-over-line.tsx";
import { RefillForm } from "../parts/refill-form.tsx";
import { ShareForm } from "../parts/share-form.tsx";
import { SwitchButton } from "../parts/switch-button.tsx";
import { TakeBackForm } from "../parts/take-back-form.tsx";

interface Act {
  kind: "refill" | "takeBack" | "credit" | "adjust" | "deduct" | "share" | "block";
  user: AdminUser;
}

/** The owners of accounts, with an admin's actions on them. */
export function AdminUsersPage() {
  const { subject: act, opened, open, close } = useDialog<Act>();
  const own = useKnownSession()?.uuid;
  const columns = useMemo(() => userColumns(open, own), [open, own]);
  return (
    <AdminPage
      title="Users"
      content="users"
      searchLabel="Search e-mail, name or ID"
      whyEmpty="No one has an account yet."
      listQuery={usersQuery}
      rowsOf={({ users }) => users}
      rowId={({ uuid }) => uuid}
      columns={columns}
    >
      <Modal opened={opened} onClose={close} title={act ? titleOf(act) : ""}>
        {act?.kind === "refill" ? <RefillForm user={act.user} onDone={close} /> : null}
        {act?.kind === "takeBack" ? <TakeBackForm user={act.user} onDone={close} /> : null}
        {act?.kind === "credit" ? <CreditAdvertiserForm user={act.user} onDone={close} /> : null}
        {act?.kind === "adjust" ? <AdjustForm user={act.user} onDone={close} /> : null}
        {act?.kind === "deduct" ? <DeductForm user={act.user} onDone={close} /> : null}
        {act?.kind === "share" ? <ShareForm user={act.user} onDone={close} /> : null}
        {act?.kind === "block" ? <BlockForm user={act.user} onDone={close} /> : null}
      </Modal>
    </AdminPage>
  );
}

function titleOf({ kind, user }: Act): string {
  if (kind === "refill") return "Refill balance";
  if (kind === "takeBack") return "Take back a refill";
  if (kind === "credit") return "Credit advertiser";
  if (kind === "adjust") return "Adjust balance";
  if (kind === "deduct") return "Note deduction";
  if (kind === "share") return "Set share";
  return user.blocked ? "Unblock user" : "Block user";
}

const sidesOf = ({ can_apps, can_campaign }: AdminUser): string =>
  [can_apps ? "apps" : "", can_campaign ? "campaigns" : ""].filter((side) => side !== "").join(", ") || "none yet";

/** `own` is the admin who looks at them. */
const userColumns = (onAct: (act: Act) => void, own: string | undefined): Column<AdminUser>[] => [
  {
    id: "user",
    head: "User",
    cell: (user) => <NameOverLine name={user.name} line={user.email} marks={<Marks user={user} />} />,
  },
  { id: "sides", head: "Has", cell: sidesOf },
  { id: "ctime", head: "Signed up", cell: ({ ctime }) => dayText(ctime), exact: ({ ctime }) => ctime },
  {
    id: "seen",
    head: "Last seen",
    whole: true,
    cell: ({ last_seen_at }) => (last_seen_at === null ? "never" : dayText(last_seen_at)),
    exact: ({ last_seen_at }) => (last_seen_at === null ? "never" : `${formatMoment(last_seen_at)} UTC`),
  },
  { id: "apps", head: "Apps", numeric: true, cell: ({ apps }) => apps },
  {
    id: "earned",
    head: "Balance",
    numeric: true,
    cell: ({ balance }) => formatBalance(balance),
    exact: ({ balance }) => formatMoneyExact(balance),
  },
  {
    id: "balance",
    head: "Campaign balance",
    numeric: true,
    cell: ({ campaign_balance }) => formatMoney(campaign_balance),
    exact: ({ campaign_balance }) => formatMoneyExact(campaign_balance),
  },
  actionsColumn((user) => <Actions user={user} isOwn={user.uuid === own} onAct={onAct} />),
];

function Marks({ user }: { user: AdminUser }) {
  return (
    <>
      {user.is_admin ? <span className={classes.mark}>Admin</span> : null}
      {user.blocked ? (
        <span className={classes.mark} data-kind="danger" title={user.blocked_reason ?? undefined}>
          Blocked
        </span>
      ) : null}
    </>
  );
}

function Actions({ user, isOwn, onAct }: { user: AdminUser; isOwn: boolean; onAct: (act: Act) => void }) {
  const block = user.blocked ? "Unblock" : "Block";
  return (
    <>
      {user.can_campaign ? (
        <>
          <RowAction label="Refill" of={user.email} onClick={() => onAct({ kind: "refill", user })} />
          <RowAction label="Take back" of={user.email} onClick={() => onAct({ kind: "takeBack", user })} />
          <RowAction label="Credit" of={user.email} onClick={() => onAct({ kind: "credit", user })} />
        </>
      ) : null}
      {user.can_apps ? (
        <>
          <RowAction label="Adjust" of={user.email} onClick={() => onAct({ kind: "adjust", user })} />
          <RowAction label="Deduct" of={user.email} onClick={() => onAct({ kind: "deduct", user })} />
          <RowAction label="Share" of={user.email} onClick={() => onAct({ kind: "share", user })} />
        </>
      ) : null}
      {/* Admins cannot be impersonated. */}
      {user.is_admin ? null : <SwitchButton user={user} />}
      <RowAction
        label={block}
        of={user.email}
        unless={isOwn ? "You cannot block yourself" : undefined}
        onClick={() => onAct({ kind: "block", user })}
      />
    </>
  );
}
