import { NAME_LENGTH, type SignUpRole, type SocialService } from "@millrace/contract";
import type { FastifyRequest } from "fastify";
import type { PoolClient } from "pg";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { recordAct } from "../../audit/index.ts";
import type { Accounts } from "../deps.ts";
import { type HomeAccount, type User, findHomeAccount, findUserByEmail, insertOwner } from "../people-store.ts";
import type { Identity } from "./identity.ts";
import { type LinkRefusal, findServices, findUserByIdentity, lockIdentity, setSurname } from "./identity-store.ts";
import { linkIdentity } from "./link-identity.ts";

/** The result of resolving an identity to a user. */
export type ResolvedIdentity =
  | { kind: "in"; user: User; home: HomeAccount }
  /** The user still has to enter an authenticator code; a new identity is linked after that. */
  | { kind: "code"; user: User; home: HomeAccount }
  /** No user, and no verified e-mail: the sign-up asks for one. */
  | { kind: "no_email" }
  | { kind: "refused"; error: LinkRefusal | "email_not_verify" | "blocked" };

interface Named {
  service: SocialService;
  identity: Identity;
  /** The side that a new account opens with. */
  role: SignUpRole;
  request: FastifyRequest;
}

/**
 * Finds, links or creates the user of an identity. A known identity signs its user in. Otherwise a verified e-mail
 * decides: it links an existing user or opens a new account, which is asked to accept the terms later. Runs in one
 * transaction; of two concurrent returns the second finds the first one's result.
 */
export function resolveIdentity(accounts: Accounts, named: Named): Promise<ResolvedIdentity> {
  const { service, identity, request } = named;
  return inTransaction(accounts.pool, async (client) => {
    await lockIdentity(client, service, identity.subject);
    const known = await findUserByIdentity(client, service, identity.subject);
    if (known) return letIn(client, known);
    if (identity.emailVerified === false) return { kind: "refused", error: "email_not_verify" };
    const { email } = identity;
    if (email === null || identity.emailVerified === null) return { kind: "no_email" };
    const isNew = await openAccount(accounts, client, named, email);
    const user = await findUserByEmail(client, email);
    const resolved = user ? await letIn(client, user) : REFUSED;
    if (!user || resolved.kind === "refused") return resolved;
    if ((await findServices(client, user.id)).includes(service))
      return { kind: "refused", error: "bind_another_account" };
    if (resolved.kind === "in") {
      const link = { service, subject: identity.subject, userId: user.id, email };
      const error = await linkIdentity(accounts, client, link, { request, accountId: resolved.home.accountId, isNew });
      if (error !== null) return { kind: "refused", error };
    }
    return resolved;
  });
}

const REFUSED = { kind: "refused", error: "blocked" } as const;

/** Opens an account that has yet to accept the terms. Returns false if the e-mail has a login. */
async function openAccount(
  { clock }: Accounts,
  client: PoolClient,
  { service, identity, role, request }: Named,
  email: string,
): Promise<boolean> {
  const owner = await insertOwner(client, {
    email,
    name: identity.name || email.slice(0, email.indexOf("@")).slice(0, NAME_LENGTH.max),
    passwordHash: null,
    role: "owner",
    canApps: role === "NEW",
    canCampaign: role === "ADV",
    agreedVersion: 0,
    demo: false,
  });
  if (!owner) return false;
  await setSurname(client, owner.userId, identity.surname);
  await recordAct(
    { pool: client, clock },
    { request },
    {
      action: "account_opened",
      subject: String(owner.accountId),
      accountId: owner.accountId,
      userId: owner.userId,
      details: { service },
    },
  );
  return true;
}

async function letIn(client: PoolClient, user: User): Promise<ResolvedIdentity> {
  const home = await findHomeAccount(client, user.id);
  if (!home || home.blocked) return REFUSED;
  return { kind: user.hasAuthenticator ? "code" : "in", user, home };
}
