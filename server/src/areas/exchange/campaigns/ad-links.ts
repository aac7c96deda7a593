import type { LinkMacro } from "@millrace/contract";
import {
  type ClickFacts,
  type ClickIds,
  DEVICE_MACRO,
  expandLink,
  withInstallReferrer,
} from "../../measurement/index.ts";
import type { AppConfig } from "../config/snapshot.ts";
import type { AdFacts, OpenedToken } from "../delivery/beacon-token.ts";
import type { LiveCampaign } from "./live-campaigns.ts";
import type { LiveInhouse } from "./live-inhouse.ts";

/** An opened token of an ad. */
type Ad = Pick<OpenedToken, "facts" | "eventIds">;

export interface LinksDeps {
  clickIds: ClickIds;
  campaignOf(id: number): Pick<LiveCampaign, "uuid" | "name" | "creatives"> | undefined;
  inhouseOf(id: number): Pick<LiveInhouse, "uuid" | "title"> | undefined;
  appOf(id: number): Pick<AppConfig, "uuid" | "bundleId"> | undefined;
}

/** Fills the macros in links of campaigns, in-house ones too, when an ad is clicked or shown. */
export class AdLinks {
  readonly #deps: LinksDeps;

  constructor(deps: LinksDeps) {
    this.#deps = deps;
  }

  /** Where a click leads. A click that does not count has no click id. */
  clickLink(link: string, ad: Ad, { atMs, counts }: { atMs: number; counts: boolean }): string {
    const { campaign } = ad.facts;
    if (campaign === null) return link;
    const clickId = counts ? this.#sign("click", ad, atMs) : "";
    const values = this.#valuesOf(ad.facts, clickId, atMs);
    return withInstallReferrer(expandLink(link, values), { clickId, campaign: values.get("campaign_id") ?? "" });
  }

  /** What is called with a counted impression. The hashed advertising id is apart: it must not be stored with the address. */
  viewLink(link: string, ad: Ad, atMs: number): { url: string; deviceSha1: string } {
    if (ad.facts.campaign === null) return { url: link, deviceSha1: "" };
    const values = new Map(this.#valuesOf(ad.facts, this.#sign("view", ad, atMs), atMs));
    const { deviceSha1 } = ad.facts.campaign;
    if (deviceSha1 !== "") values.delete(DEVICE_MACRO);
    return { url: expandLink(link, values), deviceSha1 };
  }

  #sign(kind: ClickFacts["kind"], { facts, eventIds }: Ad, atMs: number): string {
    const { campaign, appId, format, country, platform, demo, test } = facts;
    if (campaign === null) return "";
    // All of an ad's event ids are a letter and the same nonce.
    const ad = eventIds.click.slice(1);
    const { id: campaignId, creativeId, arm } = campaign;
    return this.#deps.clickIds.sign({
      kind,
      ad,
      campaignId,
      creativeId,
      arm,
      appId,
      atMs,
      format,
      country,
      platform,
      demo,
      test,
    });
  }

  #valuesOf(facts: AdFacts, clickId: string, atMs: number): ReadonlyMap<string, string> {
    const id = facts.campaign?.id ?? 0;
    const campaign = this.#deps.campaignOf(id);
    const inhouse = campaign ? undefined : this.#deps.inhouseOf(id);
    const creative = campaign?.creatives.find(({ id }) => id === facts.campaign?.creativeId);
    const app = this.#deps.appOf(facts.appId);
    const values: Record<LinkMacro, string> = {
      click_id: clickId,
      install_signature: this.#deps.clickIds.installSignature(clickId),
      campaign_id: (campaign ?? inhouse)?.uuid ?? "",
      campaign_name: campaign?.name ?? inhouse?.title ?? "",
      creative_id: facts.creative,
      creative_size: creative ? `${creative.w}x${creative.h}` : "",
      app_id: app?.uuid ?? "",
      app_bundle: app?.bundleId ?? "",
      zone: facts.zone,
      format: facts.format,
      country: facts.country,
      platform: facts.platform,
      timestamp: String(Math.floor(atMs / 1000)),
      timestamp_ms: String(atMs),
      [DEVICE_MACRO]: facts.campaign?.deviceSha1 ?? "",
    };
    return new Map(Object.entries(values));
  }
}
