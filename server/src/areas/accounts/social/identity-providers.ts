import { SOCIAL_LABELS, type SocialService } from "@millrace/contract";
import * as oidc from "openid-client";
import type { Clock } from "../../../platform/clock.ts";
import { Problem } from "../../../platform/http/problem.ts";
import type { Log } from "../../../platform/log.ts";
import type { Settings, IdentityProviderSettings } from "../../../platform/settings.ts";
import { failureOf } from "./failure-of.ts";
import { PROVIDER_RULES } from "./provider-rules.ts";

/** The time limit of one request to an identity provider. */
const ANSWER_SECONDS = 5;
/** Discovery results are kept for an hour, and longer while the identity provider is down. */
const DISCOVERED_FOR_MS = 3_600_000;

/** The identity providers that this installation has settings for. */
export interface IdentityProviders {
  /**
   * The identity provider's endpoints and keys, with our client id and secret. Problem `not_found` if it is not
   * offered, `unavailable` if it does not answer within five seconds; the next call tries again.
   */
  discover(service: SocialService): Promise<oidc.Configuration>;
  /** Problem `not_found` if the identity provider is not offered. */
  demand(service: SocialService): IdentityProviderSettings;
}

export function identityProviders(deps: { social: Settings["social"]; clock: Clock; log: Log }): IdentityProviders {
  const { social, clock, log } = deps;
  const known = new Map<SocialService, { configuration: oidc.Configuration; until: number }>();
  const asking = new Map<SocialService, Promise<oidc.Configuration>>();

  async function ask(service: SocialService, provider: IdentityProviderSettings): Promise<oidc.Configuration> {
    try {
      const configuration = await discover(service, provider);
      known.set(service, { configuration, until: clock.now() + DISCOVERED_FOR_MS });
      return configuration;
    } catch (error) {
      log.warn({ service, ...failureOf(error) }, "an identity provider does not answer");
      // An hour-old description is most likely still right.
      const before = known.get(service);
      if (before) return before.configuration;
      const label = SOCIAL_LABELS[service];
      throw new Problem("unavailable", `${label} does not answer right now. Please try again or sign in another way`, {
        retryAfterSeconds: 30,
      });
    }
  }

  function demand(service: SocialService): IdentityProviderSettings {
    const provider = social[service];
    if (!provider) throw new Problem("not_found", `${SOCIAL_LABELS[service]} is not offered here`);
    return provider;
  }

  return {
    demand,
    async discover(service) {
      const provider = demand(service);
      const found = known.get(service);
      if (found && clock.now() < found.until) return found.configuration;
      let answer = asking.get(service);
      if (!answer) {
        answer = ask(service, provider).finally(() => asking.delete(service));
        asking.set(service, answer);
      }
      return answer;
    },
  };
}

/** Asks the issuer for its endpoints (OpenID Connect Discovery, section 4); openid-client checks that it names itself. */
async function discover(
  service: SocialService,
  { issuer, clientId, clientSecret }: IdentityProviderSettings,
): Promise<oidc.Configuration> {
  const address = new URL(issuer);
  const proof = oidc.ClientSecretPost(clientSecret);
  const execute = address.protocol === "http:" && isLoopback(address.hostname) ? [allowPlainHttp] : [];
  const found = await oidc.discovery(address, clientId, undefined, proof, {
    timeout: ANSWER_SECONDS,
    execute,
  });
  const { supportsPKCE: _, ...metadata } = found.serverMetadata();
  const { tokenEndpoint } = PROVIDER_RULES[service];
  if (metadata.token_endpoint !== undefined || tokenEndpoint === undefined) return found;
  const server = { ...metadata, token_endpoint: tokenEndpoint };
  const completed = new oidc.Configuration(server, clientId, undefined, proof);
  completed.timeout = ANSWER_SECONDS;
  for (const allow of execute) allow(completed);
  return completed;
}

/** openid-client refuses plain HTTP by default. An identity provider on this machine is a test's. */
// oxlint-disable-next-line typescript/no-deprecated -- it is marked deprecated to stand out, and the library has no other switch
const allowPlainHttp: (configuration: oidc.Configuration) => void = oidc.allowInsecureRequests;

const isLoopback = (hostname: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
