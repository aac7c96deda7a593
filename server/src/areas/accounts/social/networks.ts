import { SOCIAL_LABELS, type SocialService } from "@millrace/contract";
import * as oidc from "openid-client";
import type { Clock } from "../../../platform/clock.ts";
import { Problem } from "../../../platform/http/problem.ts";
import type { Log } from "../../../platform/log.ts";
import type { Settings, SocialNetwork } from "../../../platform/settings.ts";
import { failureOf } from "./failure-of.ts";
import { NETWORK_RULES } from "./network-rules.ts";

/** How long a network may take to answer one question. */
const ANSWER_SECONDS = 5;
/** What a network says of itself is asked for again after an hour, and kept meanwhile. */
const DISCOVERED_FOR_MS = 3_600_000;

/** The networks that this installation has settings for. */
export interface Networks {
  /**
   * The network's endpoints and keys, with our id and secret there. Problem `not_found` where it is not offered,
   * `unavailable` where it does not answer in five seconds; the next call asks it again.
   */
  discover(service: SocialService): Promise<oidc.Configuration>;
  /** Problem `not_found` where the network is not offered. */
  demand(service: SocialService): SocialNetwork;
}

export function socialNetworks(deps: { social: Settings["social"]; clock: Clock; log: Log }): Networks {
  const { social, clock, log } = deps;
  const known = new Map<SocialService, { configuration: oidc.Configuration; until: number }>();
  const asking = new Map<SocialService, Promise<oidc.Configuration>>();

  async function ask(service: SocialService, network: SocialNetwork): Promise<oidc.Configuration> {
    try {
      const configuration = await discover(service, network);
      known.set(service, { configuration, until: clock.now() + DISCOVERED_FOR_MS });
      return configuration;
    } catch (error) {
      log.warn({ service, ...failureOf(error) }, "a network to sign in with does not answer");
      // What it said an hour ago is most likely still so.
      const before = known.get(service);
      if (before) return before.configuration;
      const label = SOCIAL_LABELS[service];
      throw new Problem("unavailable", `${label} does not answer right now. Please try again or sign in otherwise`, {
        retryAfterSeconds: 30,
      });
    }
  }

  function demand(service: SocialService): SocialNetwork {
    const network = social[service];
    if (!network) throw new Problem("not_found", `${SOCIAL_LABELS[service]} is not offered here`);
    return network;
  }

  return {
    demand,
    async discover(service) {
      const network = demand(service);
      const found = known.get(service);
      if (found && clock.now() < found.until) return found.configuration;
      let answer = asking.get(service);
      if (!answer) {
        answer = ask(service, network).finally(() => asking.delete(service));
        asking.set(service, answer);
      }
      return answer;
    },
  };
}

/** Asks the issuer for its endpoints (OpenID Connect Discovery, section 4); openid-client checks that it names itself. */
async function discover(
  service: SocialService,
  { issuer, clientId, clientSecret }: SocialNetwork,
): Promise<oidc.Configuration> {
  const address = new URL(issuer);
  const proof = oidc.ClientSecretPost(clientSecret);
  const execute = address.protocol === "http:" && isLoopback(address.hostname) ? [allowPlainHttp] : [];
  const found = await oidc.discovery(address, clientId, undefined, proof, {
    timeout: ANSWER_SECONDS,
    execute,
  });
  const { supportsPKCE: _, ...metadata } = found.serverMetadata();
  const { tokenEndpoint } = NETWORK_RULES[service];
  if (metadata.token_endpoint !== undefined || tokenEndpoint === undefined) return found;
  const server = { ...metadata, token_endpoint: tokenEndpoint };
  const completed = new oidc.Configuration(server, clientId, undefined, proof);
  completed.timeout = ANSWER_SECONDS;
  for (const allow of execute) allow(completed);
  return completed;
}

/** openid-client asks nobody over plain HTTP unless it is told to. A network on this very machine is a test's. */
// oxlint-disable-next-line typescript/no-deprecated -- it is marked deprecated to stand out, and the library has no other switch
const allowPlainHttp: (configuration: oidc.Configuration) => void = oidc.allowInsecureRequests;

const isLoopback = (hostname: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
