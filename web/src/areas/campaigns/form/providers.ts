/** What an attribution provider's links and postbacks call the values that both sides exchange. */
export interface Provider {
  id: string;
  name: string;
  /** Where its links lead first, by which a link is recognised as its own. */
  hosts: readonly string[];
  /** Parameters of its links, with our macros. */
  link: readonly (readonly [name: string, value: string])[];
  /** The parameter of its links that has our address for an install, if it has one. */
  installCallback?: { name: string; onOwnDomain: string; domain: string };
  /** Its own macros for our postback's parameters. */
  postback: PostbackMacros;
  /** How its postbacks are set up. */
  setup: string;
  /** The values above that its documentation does not confirm. The sources are in docs/postbacks.md. */
  unconfirmed: readonly string[];
}

export interface PostbackMacros {
  click_id: string;
  event: string;
}

export const PROVIDERS: readonly Provider[] = [
  {
    id: "appsflyer",
    name: "AppsFlyer",
    hosts: ["appsflyer.com", "onelink.me"],
    link: [
      ["clickid", "{click_id}"],
      ["c", "{campaign_name}"],
      ["af_siteid", "{app_bundle}"],
      ["af_ad_id", "{creative_id}"],
    ],
    postback: { click_id: "(clickid)", event: "(event-name)" },
    setup: "AppsFlyer’s partner team enters the postback addresses for an ad network.",
    unconfirmed: ["af_ad_id", "(clickid)", "(event-name)"],
  },
  {
    id: "adjust",
    name: "Adjust",
    hosts: ["adjust.com", "adj.st", "go.link"],
    link: [
      ["campaign", "{campaign_name}"],
      ["adgroup", "{app_bundle}"],
      ["creative", "{creative_id}"],
      ["click_id", "{click_id}"],
    ],
    installCallback: { name: "install_callback", onOwnDomain: "adj_install_callback", domain: "app.adjust.com" },
    postback: { click_id: "{dcp_click_id}", event: "{event_name}" },
    setup:
      "The link itself tells Adjust where to report installs. For other events, enter the second address below as a callback in Adjust.",
    unconfirmed: [],
  },
  {
    id: "branch",
    name: "Branch",
    hosts: ["app.link", "bnc.lt", "branch.io"],
    link: [
      ["~click_id", "{click_id}"],
      ["~campaign", "{campaign_name}"],
      ["~campaign_id", "{campaign_id}"],
      ["~creative_name", "{creative_id}"],
      ["~secondary_publisher", "{app_bundle}"],
    ],
    postback: { click_id: "${(last_attributed_touch_data.~click_id)!}", event: "${(name)!}" },
    setup: "Enter the addresses below as postbacks of your ad partner in Branch.",
    unconfirmed: ["~click_id", "~creative_name"],
  },
  {
    id: "singular",
    name: "Singular",
    hosts: ["sng.link", "singular.net"],
    link: [
      ["cl", "{click_id}"],
      ["pcn", "{campaign_name}"],
      ["pcid", "{campaign_id}"],
      ["pcrid", "{creative_id}"],
      ["psid", "{app_bundle}"],
    ],
    postback: { click_id: "{cl?Network Name}", event: "{EVTNAME}" },
    setup:
      "Singular enters the postback addresses for an ad network, with its own name for the network instead of Network Name.",
    unconfirmed: ["pcn", "pcid"],
  },
  {
    id: "kochava",
    name: "Kochava",
    hosts: ["kochava.com", "smart.link"],
    link: [
      ["click_id", "{click_id}"],
      ["site_id", "{app_bundle}"],
      ["creative_id", "{creative_id}"],
    ],
    postback: { click_id: "{click_id}", event: "{event_name}" },
    setup: "Enter the addresses below as custom postbacks in Kochava, one for installs and one for other events.",
    unconfirmed: ["click_id", "site_id", "creative_id", "{click_id}", "{event_name}"],
  },
];

/** The provider whose link this is; undefined for any other link. */
export function providerOf(link: string): Provider | undefined {
  if (!URL.canParse(link.trim())) return undefined;
  const { hostname } = new URL(link.trim());
  return PROVIDERS.find(({ hosts }) => hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`)));
}

/**
 * A link with the provider's parameters that it does not have yet. Macros stay readable. `postbackUrl` is our address without
 * parameters; a campaign that is not saved yet has none.
 */
export function withParameters(
  link: string,
  { link: parameters, installCallback }: Pick<Provider, "link" | "installCallback">,
  postbackUrl: string | null,
): string {
  const trimmed = link.trim();
  if (!URL.canParse(trimmed)) return link;
  // A fragment may have a # of its own.
  const [address = ""] = trimmed.split("#", 1);
  const { searchParams: known, hostname } = new URL(address);
  const all = [...parameters];
  if (installCallback && postbackUrl !== null) {
    const { name, onOwnDomain, domain } = installCallback;
    all.push([hostname === domain ? name : onOwnDomain, installCallbackFor(postbackUrl)]);
  }
  const added = all.filter(([name]) => !known.has(name)).map(([name, value]) => `${name}=${value}`);
  if (added.length === 0) return trimmed;
  const glue = !address.includes("?") ? "?" : /[?&]$/.test(address) ? "" : "&";
  return `${address}${glue}${added.join("&")}${trimmed.slice(address.length)}`;
}

/** Our address for an install as the value of a parameter. A link is public, so it has a signature for its own click, and no secret. */
function installCallbackFor(postbackUrl: string): string {
  const start = encodeURIComponent(`${postbackUrl}?click_id=`);
  const middle = encodeURIComponent("&event=install&signature=");
  return `${start}{click_id}${middle}{install_signature}`;
}

/** The postback's address to enter at a provider. */
export function postbackFor(url: string, secret: string, macros: PostbackMacros): string {
  return `${url}?click_id=${macros.click_id}&event=${macros.event}&secret=${secret}`;
}
