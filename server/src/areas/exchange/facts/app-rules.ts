import { type BidRequest, type Imp, PLAYBACK_METHOD } from "@millrace/openrtb";
import type { AppConfig } from "../config/snapshot.ts";

/** IAB Content Taxonomy 1.0. */
const HOBBIES_VIDEO_GAMES = "IAB9-30";
const ADULT = "IAB25-3";
/** OpenRTB 2.6, list "Banner Ad Types": JavaScript and frames. */
const SCRIPTED_BANNERS = [3, 4];
const PICTURES = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/** What an app whose owner does not say otherwise never shows, and what one for children does not either. */
const NOT_FOR_EVERYBODY = [ADULT, "IAB26"];
const NOT_FOR_CHILDREN = ["IAB8-5", "IAB8-18", "IAB9-9", "IAB14-1", "IAB25", "IAB26", "IAB7-39"];

/** The categories closed to an app: its owner's choice, and what the law and good sense add. */
export function closedCategories(app: {
  blocked_categories: readonly string[];
  kids: boolean;
  adult: boolean;
}): string[] {
  const added = app.kids ? NOT_FOR_CHILDREN : app.adult ? [] : NOT_FOR_EVERYBODY;
  return [...new Set([...app.blocked_categories, ...added])];
}

/**
 * Tells buyers what the app's owner has set: categories and advertisers that are closed (OpenRTB `bcat`, `badv`), that it is
 * for children (`regs.coppa`), a game or for adults (`app.cat`), pictures only, and without sound. What a request brings
 * along stays beside it; the auction enforces the blocks on whatever comes back.
 */
export function obeyApp(request: BidRequest, { facts, rules }: AppConfig): BidRequest {
  const cat = [...(rules.isGame ? [HOBBIES_VIDEO_GAMES] : []), ...(rules.isAdult ? [ADULT] : [])];
  const bcat = union(request.bcat, facts.blockedCategories);
  const badv = union(request.badv, facts.blockedAdvertisers);
  return {
    ...request,
    imp: rules.onlyImages || rules.isMuted ? request.imp.map((imp) => limited(imp, rules)) : request.imp,
    ...(request.app && cat.length > 0 && { app: { ...request.app, cat: union(request.app.cat, cat) } }),
    ...(bcat.length > 0 && { bcat }),
    ...(badv.length > 0 && { badv }),
    ...(facts.childDirected && request.regs?.coppa !== 1 && { regs: { ...request.regs, coppa: 1 } }),
  };
}

function limited(imp: Imp, { onlyImages, isMuted }: AppConfig["rules"]): Imp {
  return {
    ...imp,
    ...(onlyImages &&
      imp.banner && { banner: { ...imp.banner, mimes: PICTURES, btype: union(imp.banner.btype, SCRIPTED_BANNERS) } }),
    ...(isMuted && imp.video && { video: { ...imp.video, playbackmethod: [PLAYBACK_METHOD.viewportSoundOff] } }),
  };
}

const union = <T>(given: readonly T[] | undefined, added: readonly T[]): T[] =>
  given === undefined ? [...added] : added.length === 0 ? [...given] : [...new Set([...given, ...added])];
