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

/** What becomes of somebody whom a network has named. */
export type ResolvedIdentity =
  | { kind: "in"; user: User; home: HomeAccount }
  /** Theirs, but for the code of the authenticator; not linked yet where it is to be. */
  | { kind: "code"; user: User; home: HomeAccount }
  /** Nobody here, and no e-mail that the network vouches for: they sign up and prove one. */
  | { kind: "no_email" }
  | { kind: "refused"; error: LinkRefusal | "email_not_verify" | "blocked" };

interface Named {
  service: SocialService;
  identity: Identity;
  /** What a new account is for. */
  role: SignUpRole;
  request: FastifyRequest;
}

/**
 * Finds, links or makes the user of an identity. Known by it, they are in. Else the e-mail decides, if the network says
 * that it is verified: of an existing user it links, of nobody it opens an account, which is asked to agree to the terms
 * later. All or nothing of it happens; of two returns at a time the second finds what the first has made.
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

/** An account of somebody's own, unless the e-mail has one: then false. They have not agreed to the terms yet, and are asked to. */
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
