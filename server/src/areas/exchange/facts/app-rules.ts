import type { AppSnapshot } from "@millrace/auction";
import {
  type App,
  type BidRequest,
  bidderChains,
  CONTENT_TAXONOMY_1,
  type Imp,
  PLAYBACK_METHOD,
  type SupplyChain,
  takesContentTaxonomy1,
  withBidderChains,
} from "@millrace/openrtb";

/** IAB Content Taxonomy 1.0. */
const HOBBIES_VIDEO_GAMES = "IAB9-30";
const ADULT = "IAB25-3";
/** OpenRTB 2.6, list "Banner Ad Types": JavaScript and frames. */
const SCRIPTED_BANNERS = [3, 4];
const PICTURES = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/** Categories blocked by default, and those blocked for apps for children. */
const NOT_FOR_EVERYBODY = [ADULT, "IAB26"];
const NOT_FOR_CHILDREN = ["IAB8-5", "IAB8-18", "IAB9-9", "IAB14-1", "IAB25", "IAB26", "IAB7-39"];

/** The categories blocked for an app: its owner's choice and the mandatory ones. */
export function closedCategories(app: {
  blocked_categories: readonly string[];
  kids: boolean;
  adult: boolean;
}): string[] {
  const added = app.kids ? NOT_FOR_CHILDREN : app.adult ? [] : NOT_FOR_EVERYBODY;
  return [...new Set([...app.blocked_categories, ...added])];
}

/** The categories that follow from an app's flags. */
export const ownCategories = (app: { is_gaming: boolean; adult: boolean }): string[] => [
  ...(app.is_gaming ? [HOBBIES_VIDEO_GAMES] : []),
  ...(app.adult ? [ADULT] : []),
];

/** The part of an app's configuration that its rules come from. */
export interface RuledApp {
  rules: { categories: readonly string[]; onlyImages: boolean; isMuted: boolean };
  facts: Pick<AppSnapshot, "blockedCategories" | "blockedAdvertisers" | "childDirected">;
}

/**
 * Adds the app's rules to the request that buyers get: blocked categories and advertisers (OpenRTB `bcat`, `badv`),
 * child-directed (`regs.coppa`), game or adult content (`app.cat`), images only, and muted playback. The request's own
 * values stay. The auction enforces the blocks on every bid. A list has ids of one taxonomy (OpenRTB `cattax`): to a request's own
 * list of another, no blocked categories are added.
 */
export function applyAppRules(request: BidRequest, { facts, rules }: RuledApp): BidRequest {
  // Field by field, because spreading into a longer object takes many times as long.
  const result: BidRequest = { ...request };
  if (rules.onlyImages || rules.isMuted) result.imp = request.imp.map((imp) => limited(imp, rules));
  if (request.app && rules.categories.length > 0) {
    result.app = withCategories(request.app, rules.categories);
  }
  const isOneTaxonomy = takesContentTaxonomy1(request.cattax, request.bcat, request.acat);
  const bcat = isOneTaxonomy ? joined(request.bcat, facts.blockedCategories) : [];
  if (bcat.length > 0) result.bcat = bcat;
  if (isOneTaxonomy && request.cattax !== undefined) result.cattax = CONTENT_TAXONOMY_1;
  const badv = joined(request.badv, facts.blockedAdvertisers);
  if (badv.length > 0) result.badv = badv;
  if (facts.childDirected && request.regs?.coppa !== 1) result.regs = { ...request.regs, coppa: 1 };
  return result;
}

/** Adds categories to an app's. If its own are of another taxonomy, they stay, unless buyers must learn that it is for adults. */
function withCategories(app: App, own: readonly string[]): App {
  const { cattax, cat, sectioncat, pagecat } = app;
  if (takesContentTaxonomy1(cattax, cat, sectioncat, pagecat)) {
    return { ...app, cat: joined(cat, own), ...(cattax !== undefined && { cattax: CONTENT_TAXONOMY_1 }) };
  }
  if (!own.includes(ADULT)) return app;
  const result: App = { ...app, cat: own };
  delete result.cattax;
  delete result.sectioncat;
  delete result.pagecat;
  return result;
}

/**
 * Ends the supply chain with the platform's own node (OpenRTB 2.6, sections 3.2.25 and 3.2.26), which buyers find in its
 * sellers.json and in the account's app-ads.txt, and so each chain for single bidders. A request without a chain begins one that is
 * complete, because the platform pays the app's owner itself. If the request has chains for single bidders, the begun one is for all
 * others and incomplete, because nobody has said who sold to those.
 */
export function withOwnNode(request: BidRequest, { asi, sid }: { asi: string; sid: string }): BidRequest {
  const ended = (schain: SupplyChain) => ({ ...schain, nodes: [...schain.nodes, { asi, sid, hp: 1 }] });
  const chains = bidderChains(request);
  const { schain = { ver: "1.0", complete: chains.length > 0 ? 0 : 1, nodes: [] } } = request.source ?? {};
  const made = { ...request, source: { ...request.source, schain: ended(schain) } };
  if (chains.length === 0) return made;
  return withBidderChains(
    made,
    chains.map((each) => ({ bidders: each.bidders, schain: ended(each.schain) })),
  );
}

function limited(imp: Imp, { onlyImages, isMuted }: RuledApp["rules"]): Imp {
  const { banner, video } = imp;
  if (!onlyImages) {
    return isMuted && video ? { ...imp, video: { ...video, playbackmethod: [PLAYBACK_METHOD.viewportSoundOff] } } : imp;
  }
  const still: Imp = { ...imp };
  delete still.video;
  delete still.audio;
  if (banner) still.banner = { ...banner, mimes: PICTURES, btype: joined(banner.btype, SCRIPTED_BANNERS) };
  return still;
}

/**
 * Merges both lists without duplicates. If one is empty it returns the other list itself, because an app's lists are
 * recognized by identity.
 */
function joined<T>(list: readonly T[] | undefined, own: readonly T[]): readonly T[] {
  if (list === undefined || list.length === 0) return own;
  return own.length === 0 ? list : [...new Set([...list, ...own])];
}
