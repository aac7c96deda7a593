export type * from "./audience.ts";
export { answerNative, type NativeOffer } from "./answer-native.ts";
export * from "./bid-faults.ts";
export type * from "./bid-request.ts";
export type * from "./bid-response.ts";
export * from "./bid-rules.ts";
export { bidderChains, chainFor, withBidderChains } from "./bidder-chains.ts";
export { type Fault, isObject } from "./check.ts";
export * from "./downgrade.ts";
export {
  advertiserDomain,
  CONTENT_TAXONOMY_1,
  type Exclusions,
  exclusionsOf,
  takesContentTaxonomy1,
  withoutWww,
} from "./exclusions.ts";
export type * from "./inventory.ts";
export * from "./lists.ts";
export * from "./macros.ts";
export type * from "./media.ts";
export { MEDIA_TYPES, type MediaType, MTYPE } from "./media-type.ts";
export * from "./native.ts";
export * from "./parse-native.ts";
export * from "./read-native.ts";
export * from "./render-native.ts";
export { hasFloor, lengthFloorOf } from "./stream-rules.ts";
export { skipOffset, takesVideo } from "./takes-video.ts";
export { transparencyOf } from "./transparency.ts";
export * from "./upgrade.ts";
export { urlOf } from "./url-of.ts";
export * from "./validate-bid-request.ts";
export {
  type ResponseVerdict,
  type SeatedBid,
  type UnreadableBid,
  validateBidResponse,
} from "./validate-bid-response.ts";
export { checkVast } from "./vast/check-vast.ts";
export { glanceAtVast, type VastGlance } from "./vast/glance-at-vast.ts";
export { inlineVast, type InlineVideo, vastVersionFor, wrapperVersionFor } from "./vast/inline-vast.ts";
export { insertNodes } from "./vast/insert-nodes.ts";
export { readVast, type VastFault } from "./vast/read-vast.ts";
export { edited, scanXml, type XmlEdit, type XmlElement } from "./vast/scan-xml.ts";
export { VAST_EVENTS, type VastVersion } from "./vast/vast-schema.data.ts";
export { vastNode, type VastNode, writeVast } from "./vast/write-vast.ts";
