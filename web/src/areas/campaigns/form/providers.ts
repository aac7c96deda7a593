/** What an attribution provider's links and postbacks call the values that both sides exchange. */
export interface Provider {
  id: string;
  name: string;
  /** Parameters of its links, with our macros. */
  link: readonly (readonly [name: string, value: string])[];
  /** Its own macros for our postback's parameters. */
  postback: { click_id: string; event: string };
}

/**
 * Parameters as in the providers' public documentation: AppsFlyer's "Attribution link structure and parameters", Adjust's "Callback
 * structure", Branch's "How can we add more macros to Ad Links", Singular's "Tracking Link Parameters" and "Postback Macros", and
 * Kochava's custom postbacks.
 */
export const PROVIDERS: readonly Provider[] = [
  {
    id: "appsflyer",
    name: "AppsFlyer",
    link: [
      ["clickid", "{click_id}"],
      ["c", "{campaign_name}"],
      ["af_siteid", "{app_bundle}"],
      ["af_ad_id", "{creative_id}"],
    ],
    postback: { click_id: "(clickid)", event: "(event-name)" },
  },
  {
    id: "adjust",
    name: "Adjust",
    link: [
      ["campaign", "{campaign_name}"],
      ["adgroup", "{app_bundle}"],
      ["creative", "{creative_id}"],
      ["click_id", "{click_id}"],
    ],
    postback: { click_id: "{click_id}", event: "{event_name}" },
  },
  {
    id: "branch",
    name: "Branch",
    link: [
      ["~click_id", "{click_id}"],
      ["~campaign", "{campaign_name}"],
      ["~campaign_id", "{campaign_id}"],
      ["~creative_name", "{creative_id}"],
      ["~secondary_publisher", "{app_bundle}"],
    ],
    postback: { click_id: "${(last_attributed_touch_data.~click_id)!}", event: "${(name)!}" },
  },
  {
    id: "singular",
    name: "Singular",
    link: [
      ["cl", "{click_id}"],
      ["pcn", "{campaign_name}"],
      ["pcid", "{campaign_id}"],
      ["pcrid", "{creative_id}"],
      ["psid", "{app_bundle}"],
    ],
    postback: { click_id: "{cl?Network Name}", event: "{EVTNAME}" },
  },
  {
    id: "kochava",
    name: "Kochava",
    link: [
      ["click_id", "{click_id}"],
      ["site_id", "{app_bundle}"],
      ["creative_id", "{creative_id}"],
    ],
    postback: { click_id: "{click_id}", event: "{event_name}" },
  },
];

/** A link with the provider's parameters that it does not have yet. Macros stay readable. */
export function withParameters(link: string, { link: parameters }: Pick<Provider, "link">): string {
  const trimmed = link.trim();
  if (!URL.canParse(trimmed)) return link;
  const [address = "", fragment] = trimmed.split("#", 2);
  const known = new URL(address).searchParams;
  const added = parameters.filter(([name]) => !known.has(name)).map(([name, value]) => `${name}=${value}`);
  if (added.length === 0) return trimmed;
  const glue = !address.includes("?") ? "?" : /[?&]$/.test(address) ? "" : "&";
  return `${address}${glue}${added.join("&")}${fragment === undefined ? "" : `#${fragment}`}`;
}

/** The postback's address to enter at a provider. */
export function postbackFor(url: string, secret: string, macros: Provider["postback"]): string {
  return `${url}?click_id=${macros.click_id}&event=${macros.event}&secret=${secret}`;
}
