import { BALANCE_ALERT_DAYS, type Body, type Side, type editProfile } from "@millrace/contract";
import { Problem, notSignedIn } from "../../../platform/http/problem.ts";
import { hasMailbox } from "../../../platform/mail/index.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import type { Accounts } from "../deps.ts";
import { hashPassword } from "../passwords.ts";
import { findUserById } from "../people-store.ts";
import { requestTicket } from "../tickets/request-ticket.ts";
import { type SavedField, setProfileField } from "./profile-store.ts";

export type Edit = Body<typeof editProfile>;

const SAVED = {
  name: "Name saved",
  surname: "Last name saved",
  phone: "Phone saved",
  days_left: "Balance alert saved",
  is_subscribed: "News subscription saved",
  week_start_on_sunday: "Week start saved",
} as const satisfies Record<SavedField, string>;

/** Saves one profile field of the caller and returns the confirmation text. */
export async function saveField(accounts: Accounts, by: By, edit: Edit): Promise<string> {
  if (edit.name === "password") return askForPassword(accounts, by, edit.value);
  if (edit.name === "days_left" && by.caller.role !== "owner")
    throw new Problem("forbidden", "Balance alerts are mailed to the account's owner");
  if (edit.name === "days_left" && !isOffered(edit.value))
    throw new Problem("invalid", { value: `Choose one of ${BALANCE_ALERT_DAYS.join(", ")} days` });
  const { name: field, value } = edit;
  await inTransaction(accounts.pool, async (client) => {
    await setProfileField(client, by.caller.userId, field, value);
    await recordAct({ pool: client, clock: accounts.clock }, by, { action: "profile_edited", details: { field } });
  });
  return SAVED[edit.name];
}

const isOffered = (days: number | null) => days === null || BALANCE_ALERT_DAYS.some((offered) => offered === days);

/**
 * The password takes effect when the user opens the mailed link, so a stolen session cannot change it. A
 * sub-user with a generated e-mail has no mailbox; the owner sets their password.
 */
async function askForPassword(accounts: Accounts, by: By, password: string): Promise<string> {
  const { caller } = by;
  if (caller.is_switched) throw new Problem("forbidden", "Only the user can change the password");
  const user = await findUserById(accounts.pool, caller.userId);
  if (!user) throw notSignedIn();
  if (!hasMailbox(user.email))
    throw new Problem("forbidden", "The owner of the account can set a new password for you on the team page");
  const payload = async () => ({ passwordHash: await hashPassword(password) });
  await requestTicket(accounts, { type: "change_pass", email: user.email, userId: user.id, payload }, (client) =>
    recordAct({ pool: client, clock: accounts.clock }, by, {
      action: "password_change_asked",
      subject: String(user.id),
    }),
  );
  return `We sent a mail to ${user.email}. Open its link to activate the new password.`;
}

const SIDE_COLUMNS = { apps: "can_apps", campaign: "can_campaign" } as const satisfies Record<Side, string>;

/** Opens the other side of the product for the account. Problem `conflict` if it is open already. */
export async function openSide({ pool, clock }: Accounts, by: By, side: Side): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE accounts SET ${SIDE_COLUMNS[side]} = true WHERE id = $1 AND NOT ${SIDE_COLUMNS[side]} AND deleted_at IS NULL`,
      [by.caller.accountId],
    );
    if (rowCount !== 1) throw new Problem("conflict", "Your account already has this side");
    await recordAct({ pool: client, clock }, by, { action: "side_opened", details: { side } });
  });
}
