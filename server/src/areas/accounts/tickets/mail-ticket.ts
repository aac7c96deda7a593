import { z } from "zod";
import { MAIL_PATIENCE, type MailText } from "../../../platform/mail/index.ts";
import type { Accounts } from "../deps.ts";
import { sendMail } from "../mails/send-mail.ts";
import {
  changePassMail,
  hasLoginMail,
  invitationMail,
  notInvitedMail,
  resetPassMail,
  signUpMail,
} from "../mails/ticket-mails.ts";
import { type User, findHomeAccount, findUserByEmail, findUserById } from "../people-store.ts";
import { PAYLOADS } from "./ticket-kinds.ts";
import { newSalt, ticketUrl } from "./ticket-link.ts";
import {
  type Ticket,
  deleteTicket,
  findAccountName,
  findAppNames,
  findWaitingTicket,
  setTicketSalt,
} from "./ticket-store.ts";

/** The job that mails a ticket's link. Its data names the ticket: no secret rests in a job. */
export const MAIL_TICKET = "mail-ticket";

export function defineTicketMails(accounts: Accounts): void {
  accounts.jobs.define(
    MAIL_TICKET,
    z.object({ uuid: z.uuid() }),
    async ({ uuid }) => {
      const ticket = await findWaitingTicket(accounts.pool, uuid, new Date(accounts.clock.now()));
      if (ticket) await MAILS[ticket.type](accounts, ticket);
    },
    MAIL_PATIENCE,
  );
}

/** The job, not the request, checks whether the e-mail has a login, so timing reveals nothing. */
const MAILS = {
  reset_pass: async (accounts, ticket) => {
    const user = await findUserByEmail(accounts.pool, ticket.email);
    if (user && (await mayEnter(accounts, user))) await mailLink(accounts, ticket, resetPassMail, user.id);
    else await deleteTicket(accounts.pool, ticket.uuid);
  },
  change_pass: async (accounts, ticket) => {
    const user = ticket.userId === null ? undefined : await findUserById(accounts.pool, ticket.userId);
    if (user && (await mayEnter(accounts, user))) await mailLink(accounts, ticket, changePassMail, user.id);
    else await deleteTicket(accounts.pool, ticket.uuid);
  },
  sign_up: async (accounts, ticket) => {
    if (!(await findUserByEmail(accounts.pool, ticket.email))) {
      const { identity } = PAYLOADS.sign_up.parse(ticket.payload);
      await mailLink(accounts, ticket, (mailer, url) => signUpMail(mailer, url, identity?.service ?? null));
      return;
    }
    await sendMail(accounts, ticket.email, hasLoginMail(accounts));
    await deleteTicket(accounts.pool, ticket.uuid);
  },
  manager: async (accounts, ticket) => {
    const { role, appIds } = PAYLOADS.manager.parse(ticket.payload);
    const accountName = await findAccountName(accounts.pool, ticket.accountId);
    if (accountName === undefined) await deleteTicket(accounts.pool, ticket.uuid);
    // The ticket stays without a salt: the inviter sees an invitation that was not accepted, and nothing more.
    else if (await findUserByEmail(accounts.pool, ticket.email))
      await sendMail(accounts, ticket.email, notInvitedMail(accounts, accountName, role));
    else {
      const apps = appIds && (await findAppNames(accounts.pool, ticket.accountId, appIds));
      await mailLink(accounts, ticket, (mailer, url) => invitationMail(mailer, url, { accountName, role, apps }));
    }
  },
} as const satisfies Record<Ticket["type"], (accounts: Accounts, ticket: Ticket) => Promise<void>>;

async function mayEnter({ pool }: Accounts, user: User): Promise<boolean> {
  const home = await findHomeAccount(pool, user.id);
  return home !== undefined && !home.blocked;
}

/** A retry after a failed mail creates a new link, because the first salt is stored nowhere. */
async function mailLink(
  accounts: Accounts,
  ticket: Ticket,
  mailOf: (accounts: Accounts, url: string) => MailText,
  userId: number | null = null,
): Promise<void> {
  const { salt, saltHash } = newSalt();
  await setTicketSalt(accounts.pool, ticket.uuid, { saltHash, userId });
  await sendMail(accounts, ticket.email, mailOf(accounts, ticketUrl(accounts.publicUrl, ticket.uuid, salt)));
}
