import { generateKeyPairSync, randomBytes } from "node:crypto";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type Configuration, Provider, interactionPolicy } from "oidc-provider";

export interface OidcProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The number of code exchanges, valid or not. */
  exchanges(): number;
  close(): Promise<void>;
}

interface Options {
  /** Exact, but for the port of loopback addresses over plain HTTP (RFC 8252, section 7.3). */
  redirectUris: string[];
  /** Puts all claims into the ID token, as Google and Facebook do; otherwise they are at userinfo. */
  claimsInIdToken?: boolean;
}

/** The claims in the form's fields; an empty field is a missing claim. */
const FIELDS = ["sub", "email", "email_verified", "name", "given_name", "family_name"] as const;
type Claims = { sub: string; email?: string; email_verified?: boolean; name?: string };

/**
 * A real OpenID provider on a port that the system chooses. Its sign-in page is a plain form with the claims: `sub`,
 * `email`, `email_verified` (true, false or empty), `name`, `given_name`, `family_name`; or cancels.
 */
export async function startOidcProvider({ redirectUris, claimsInIdToken = true }: Options): Promise<OidcProvider> {
  const people = new Map<string, Claims>();
  let exchanges = 0;
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  // Another site than the platform's own address, to browsers.
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const client = { clientId: "millrace", clientSecret: randomBytes(32).toString("base64url") };
  const provider = new Provider(issuer, configurationOf({ redirectUris, claimsInIdToken }, client, people));
  const answer = provider.callback();
  server.on("request", (request, response) => {
    if (request.url === "/token") exchanges++;
    if (request.url?.startsWith("/interaction/") !== true) return void answer(request, response);
    interact(provider, people, request, response).catch((error: unknown) => {
      response.writeHead(500).end(error instanceof Error ? error.message : "failed");
    });
  });
  return {
    issuer,
    ...client,
    exchanges: () => exchanges,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function configurationOf(
  { redirectUris, claimsInIdToken }: Required<Options>,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  people: Map<string, Claims>,
): Configuration {
  const policy = interactionPolicy.base();
  policy.add(new interactionPolicy.Prompt({ name: "select_account", requestable: true }), 0);
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const profile = ["name", "given_name", "family_name"];
  return {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        token_endpoint_auth_method: "client_secret_post",
        redirect_uris: redirectUris,
        application_type: redirectUris.every((uri) => uri.startsWith("http:")) ? "native" : "web",
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: "one", use: "sig", alg: "RS256" }] },
    cookies: { keys: [randomBytes(32).toString("base64url")] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile, public_profile: profile },
    scopes: ["openid", "email", "profile", "public_profile"],
    conformIdTokenClaims: !claimsInIdToken,
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { policy, url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => {
      const claims = people.get(sub);
      return claims && { accountId: sub, claims: () => claims };
    },
  };
}

async function interact(
  provider: Provider,
  people: Map<string, Claims>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== "POST") {
    await provider.interactionDetails(request, response);
    return void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(PAGE);
  }
  const form = new URLSearchParams(await text(request));
  if (form.has("cancel")) {
    const error = { error: "access_denied", error_description: "The person has cancelled" };
    return provider.interactionFinished(request, response, error);
  }
  const { params } = await provider.interactionDetails(request, response);
  const claims = claimsOf(form);
  people.set(claims.sub, claims);
  const grant = new provider.Grant({ accountId: claims.sub, clientId: String(params["client_id"]) });
  grant.addOIDCScope(String(params["scope"]));
  const result = { login: { accountId: claims.sub }, select_account: {}, consent: { grantId: await grant.save() } };
  await provider.interactionFinished(request, response, result);
}

function claimsOf(form: URLSearchParams): Claims {
  const given = FIELDS.map((name) => [name, form.get(name) ?? ""] as const).filter(([, value]) => value !== "");
  const claims = Object.fromEntries(given);
  const { sub = "nobody", email_verified: verified, ...rest } = claims;
  return { ...rest, sub, ...(verified !== undefined && { email_verified: verified === "true" }) };
}

const PAGE = `<!doctype html><html lang="en"><title>Sign in</title><h1>Who are you?</h1>
<form method="post">${FIELDS.map((name) => `<p><label>${name} <input name="${name}"></label></p>`).join("")}
<button>Continue</button> <button name="cancel" value="1">Cancel</button></form></html>`;
