/**
 * The elements and attributes of each VAST version, transcribed from the IAB's schemas: vast_2.0.1.xsd, vast3_draft.xsd,
 * vast4.xsd (4.0.6), vast_4.1.xsd and vast_4.2.xsd. The IAB publishes no schema for 4.3, whose specification keeps the
 * elements of 4.2.
 */
export interface VastType {
  /**
   * Child elements in the schema's order, one word each: `Name` (exactly once), `Name?`, `Name*`, `Name+`, or `Name=Type`
   * if the element and its type have different names. A choice between resources is written as a list.
   */
  children?: string;
  /** Children come in sequence unless this allows any order, or only one of them. */
  order?: "any" | "one";
  /** Attributes; `name!` is required. */
  attributes?: string;
  /** Holds any elements and attributes, as extensions do. */
  isOpen?: true;
}

export const VAST_VERSIONS = ["2.0", "3.0", "4.0", "4.1", "4.2", "4.3"] as const;
export type VastVersion = (typeof VAST_VERSIONS)[number];

/** Elements by type. A type that is not listed holds text and has no attributes. */
export type VastTypes = Readonly<Record<string, VastType>>;

const ID = { attributes: "id" };
const OPEN: VastType = { isOpen: true };
const RESOURCE_2 = "StaticResource? IFrameResource? HTMLResource?";
const RESOURCE_4 = "HTMLResource* IFrameResource* StaticResource*";
const AD_4 = "AdSystem Error* Extensions? Impression+ Pricing? ViewableImpression?";
const COMPANION = "id width! height! assetWidth assetHeight expandedWidth expandedHeight apiFramework";
const NON_LINEAR =
  "id width! height! expandedWidth expandedHeight scalable maintainAspectRatio minSuggestedDuration apiFramework";
const MEDIA_FILE = "id delivery! type! bitrate width! height! scalable maintainAspectRatio apiFramework";

const V2_0: VastTypes = {
  VAST: { children: "Ad*", attributes: "version!" },
  Ad: { children: "InLine? Wrapper?", order: "one", attributes: "id!" },
  InLine: {
    children: "AdSystem AdTitle Description? Survey? Error? Impression+ Creatives=InLineCreatives Extensions?",
  },
  Wrapper: { children: "AdSystem VASTAdTagURI Error? Impression=Uri+ Creatives=WrapperCreatives Extensions?" },
  AdSystem: { attributes: "version" },
  Impression: ID,
  InLineCreatives: { children: "Creative=InLineCreative+" },
  WrapperCreatives: { children: "Creative=WrapperCreative*" },
  InLineCreative: {
    children: "Linear=InLineLinear? CompanionAds? NonLinearAds=InLineNonLinearAds?",
    order: "one",
    attributes: "id sequence AdID",
  },
  WrapperCreative: {
    children: "Linear=WrapperLinear? CompanionAds? NonLinearAds=WrapperNonLinearAds?",
    order: "one",
    attributes: "id sequence AdID",
  },
  InLineLinear: { children: "Duration TrackingEvents? AdParameters? VideoClicks=InLineVideoClicks? MediaFiles?" },
  WrapperLinear: { children: "TrackingEvents? VideoClicks=WrapperVideoClicks?" },
  TrackingEvents: { children: "Tracking*" },
  Tracking: { attributes: "event!" },
  InLineVideoClicks: { children: "ClickThrough? ClickTracking* CustomClick*" },
  WrapperVideoClicks: { children: "ClickTracking*" },
  ClickThrough: ID,
  ClickTracking: ID,
  CustomClick: ID,
  MediaFiles: { children: "MediaFile+" },
  MediaFile: { attributes: MEDIA_FILE },
  CompanionAds: { children: "Companion*" },
  Companion: {
    children: `${RESOURCE_2} TrackingEvents? CompanionClickThrough? AltText? AdParameters?`,
    attributes: "id width! height! expandedWidth expandedHeight apiFramework",
  },
  StaticResource: { attributes: "creativeType!" },
  InLineNonLinearAds: { children: "TrackingEvents? NonLinear+" },
  WrapperNonLinearAds: { children: "TrackingEvents? NonLinear*" },
  NonLinear: { children: `${RESOURCE_2} NonLinearClickThrough? AdParameters?`, attributes: NON_LINEAR },
  Extensions: { children: "Extension*" },
  Extension: OPEN,
};

const V3_0: VastTypes = {
  ...V2_0,
  Ad: { children: "InLine? Wrapper?", order: "one", attributes: "id sequence" },
  InLine: {
    children:
      "AdSystem AdTitle Description? Advertiser? Pricing? Survey? Error? Impression+ Creatives=InLineCreatives Extensions?",
  },
  Pricing: { attributes: "model! currency!" },
  InLineLinear: {
    children:
      "Icons? CreativeExtensions? Duration TrackingEvents? AdParameters? VideoClicks=InLineVideoClicks? MediaFiles?",
    attributes: "skipoffset",
  },
  WrapperLinear: { children: "CreativeExtensions? Icons? TrackingEvents? VideoClicks=WrapperVideoClicks?" },
  Icons: { children: "Icon+" },
  Icon: {
    children: `${RESOURCE_2} IconClicks? IconViewTracking*`,
    attributes: "program! width! height! xPosition! yPosition! offset duration apiFramework",
  },
  IconClicks: { children: "IconClickTracking* IconClickThrough?" },
  Tracking: { attributes: "event! offset" },
  WrapperVideoClicks: { children: "ClickTracking* CustomClick*" },
  AdParameters: { attributes: "xmlEncoded" },
  HTMLResource: { attributes: "xmlEncoded" },
  MediaFile: { attributes: `${MEDIA_FILE} minBitrate maxBitrate codec` },
  CompanionAds: { children: "Companion*", attributes: "required" },
  Companion: {
    children: `${RESOURCE_2} CreativeExtensions? TrackingEvents? CompanionClickThrough? AltText? AdParameters?`,
    attributes: `${COMPANION} adSlotId`,
  },
  WrapperCreative: {
    children: "Linear=WrapperLinear? CompanionAds=WrapperCompanionAds? NonLinearAds=WrapperNonLinearAds?",
    order: "one",
    attributes: "id sequence AdID",
  },
  WrapperCompanionAds: { children: "Companion=WrapperCompanion*" },
  WrapperCompanion: {
    children: `${RESOURCE_2} CreativeExtensions? TrackingEvents? CompanionClickThrough? CompanionClickTracking* AltText? AdParameters?`,
    attributes: `${COMPANION} adSlotId`,
  },
  NonLinear: {
    children: `${RESOURCE_2} CreativeExtensions? NonLinearClickTracking* NonLinearClickThrough? AdParameters?`,
    attributes: NON_LINEAR,
  },
  WrapperNonLinearAds: { children: "TrackingEvents? NonLinear=WrapperNonLinear*" },
  WrapperNonLinear: {
    children: "CreativeExtensions? NonLinearClickTracking*",
    attributes: NON_LINEAR.replaceAll("!", ""),
  },
  CreativeExtensions: { children: "CreativeExtension*" },
  CreativeExtension: OPEN,
};

const V4_0: VastTypes = {
  VAST: { children: "Ad* Error*", order: "one", attributes: "version!" },
  Ad: { children: "InLine? Wrapper?", order: "one", attributes: "id sequence conditionalAd" },
  InLine: {
    children: `${AD_4} AdTitle AdVerifications? Advertiser? Category* Creatives=InLineCreatives Description? Survey?`,
  },
  Wrapper: {
    children: `${AD_4} AdVerifications=WrapperVerifications? Creatives=WrapperCreatives? VASTAdTagURI`,
    attributes: "followAdditionalWrappers allowMultipleAds fallbackOnNoAd",
  },
  AdSystem: { attributes: "version" },
  Extensions: { children: "Extension*" },
  Extension: OPEN,
  Impression: ID,
  Pricing: { attributes: "model! currency!" },
  ViewableImpression: { children: "Viewable* NotViewable* ViewUndetermined*", attributes: "id" },
  AdVerifications: { children: "Verification*" },
  Verification: {
    children: "FlashResource* JavaScriptResource* ViewableImpression=VerificationView?",
    attributes: "vendor",
  },
  WrapperVerifications: { children: "Verification=WrapperVerification*" },
  WrapperVerification: { children: "ViewableImpression=VerificationView?", attributes: "vendor" },
  VerificationView: ID,
  FlashResource: { attributes: "apiFramework" },
  JavaScriptResource: { attributes: "apiFramework" },
  Category: { attributes: "authority!" },
  Survey: { attributes: "type" },
  InLineCreatives: { children: "Creative=InLineCreative+" },
  WrapperCreatives: { children: "Creative=WrapperCreative+" },
  InLineCreative: {
    children: "CompanionAds? CreativeExtensions? Linear=InLineLinear? NonLinearAds=InLineNonLinearAds? UniversalAdId",
    order: "any",
    attributes: "sequence apiFramework id adId",
  },
  WrapperCreative: {
    children: "CompanionAds? Linear=WrapperLinear? NonLinearAds=WrapperNonLinearAds?",
    attributes: "sequence apiFramework id adId",
  },
  UniversalAdId: { attributes: "idRegistry! idValue!" },
  InLineLinear: {
    children: "Icons? TrackingEvents? AdParameters? Duration MediaFiles VideoClicks=InLineVideoClicks?",
    attributes: "skipoffset",
  },
  WrapperLinear: { children: "Icons? TrackingEvents? VideoClicks=WrapperVideoClicks?", attributes: "skipoffset" },
  Icons: { children: "Icon?" },
  Icon: {
    children: `${RESOURCE_4} IconClicks? IconViewTracking*`,
    attributes: "program width height xPosition yPosition duration offset apiFramework pxratio",
  },
  IconClicks: { children: "IconClickThrough? IconClickTracking*" },
  IconClickTracking: ID,
  TrackingEvents: { children: "Tracking*" },
  Tracking: { attributes: "event! offset" },
  InLineVideoClicks: { children: "ClickTracking* CustomClick* ClickThrough?" },
  WrapperVideoClicks: { children: "ClickTracking* CustomClick*" },
  ClickThrough: ID,
  ClickTracking: ID,
  CustomClick: ID,
  AdParameters: { attributes: "xmlEncoded" },
  StaticResource: { attributes: "creativeType!" },
  MediaFiles: { children: "MediaFile+ Mezzanine? InteractiveCreativeFile*" },
  MediaFile: { attributes: `${MEDIA_FILE} minBitrate maxBitrate codec` },
  InteractiveCreativeFile: { attributes: "type apiFramework" },
  CompanionAds: { children: "Companion*", attributes: "required" },
  Companion: {
    children: `${RESOURCE_4} AdParameters? AltText? CompanionClickThrough? CompanionClickTracking* CreativeExtensions? TrackingEvents?`,
    attributes: `${COMPANION} adSlotID pxratio`,
  },
  CompanionClickTracking: { attributes: "id!" },
  CreativeExtensions: { children: "CreativeExtension*" },
  CreativeExtension: OPEN,
  InLineNonLinearAds: { children: "TrackingEvents? NonLinear*" },
  NonLinear: { children: `${RESOURCE_4} AdParameters? NonLinearClickThrough? NonLinearClickTracking*` },
  WrapperNonLinearAds: { children: "TrackingEvents? NonLinear=WrapperNonLinear*" },
  WrapperNonLinear: { children: "NonLinearClickTracking?" },
  NonLinearClickTracking: ID,
};

const V4_1: VastTypes = {
  ...V4_0,
  Ad: { children: "InLine? Wrapper?", order: "one", attributes: "id sequence conditionalAd adType" },
  InLine: {
    children: `${AD_4} AdServingId AdTitle AdVerifications? Advertiser? Category* Creatives=InLineCreatives Description? Expires? Survey?`,
  },
  Wrapper: {
    children: `${AD_4} AdVerifications? BlockedAdCategories* Creatives=WrapperCreatives? VASTAdTagURI`,
    attributes: "followAdditionalWrappers allowMultipleAds fallbackOnNoAd",
  },
  Verification: {
    children:
      "ExecutableResource* JavaScriptResource* TrackingEvents=VerificationTrackingEvents? VerificationParameters?",
    attributes: "vendor",
  },
  ExecutableResource: { attributes: "apiFramework type" },
  JavaScriptResource: { attributes: "apiFramework browserOptional" },
  VerificationTrackingEvents: { children: "Tracking=VerificationTracking*" },
  VerificationTracking: { attributes: "event!" },
  BlockedAdCategories: { attributes: "authority" },
  UniversalAdId: { attributes: "idRegistry!" },
  Icons: { children: "Icon+" },
  MediaFiles: { children: "ClosedCaptionFiles? MediaFile+ Mezzanine* InteractiveCreativeFile*" },
  ClosedCaptionFiles: { children: "ClosedCaptionFile*" },
  ClosedCaptionFile: { attributes: "type language" },
  MediaFile: { attributes: `${MEDIA_FILE} minBitrate maxBitrate codec fileSize mediaType` },
  Mezzanine: { attributes: "id delivery! type! width! height! codec fileSize mediaType" },
  InteractiveCreativeFile: { attributes: "type apiFramework variableDuration" },
  Companion: {
    children: V4_0["Companion"]?.children ?? "",
    attributes: `${COMPANION} adSlotId pxratio renderingMode`,
  },
  NonLinear: { children: V4_0["NonLinear"]?.children ?? "", attributes: NON_LINEAR },
};

const V4_2: VastTypes = {
  ...V4_1,
  InLineCreative: {
    children: "CompanionAds? CreativeExtensions? Linear=InLineLinear? NonLinearAds=InLineNonLinearAds? UniversalAdId+",
    attributes: "sequence apiFramework id adId",
  },
  IconClicks: { children: "IconClickFallbackImages? IconClickThrough? IconClickTracking*" },
  IconClickFallbackImages: { children: "IconClickFallbackImage+" },
  IconClickFallbackImage: { children: "AltText? StaticResource=Uri?", attributes: "height width" },
};

export const VAST_TYPES: Readonly<Record<VastVersion, VastTypes>> = {
  "2.0": V2_0,
  "3.0": V3_0,
  "4.0": V4_0,
  "4.1": V4_1,
  "4.2": V4_2,
  "4.3": V4_2,
};

const EVENTS_2 = [
  ..."creativeView start midpoint firstQuartile thirdQuartile complete mute unmute pause rewind resume".split(" "),
  ..."fullscreen expand collapse acceptInvitation close".split(" "),
];
const EVENTS_4 = [
  ..."mute unmute pause resume rewind skip playerExpand playerCollapse start firstQuartile midpoint".split(" "),
  ..."thirdQuartile complete progress creativeView acceptInvitation adExpand adCollapse minimize close".split(" "),
  ..."overlayViewDuration otherAdInteraction".split(" "),
];
const EVENTS_4_1 = [...EVENTS_4, "loaded", "closeLinear"];

/** The values of `<Tracking event>`. */
export const VAST_EVENTS: Readonly<Record<VastVersion, readonly string[]>> = {
  "2.0": EVENTS_2,
  "3.0": [...EVENTS_2, "exitFullscreen", "skip", "progress"],
  "4.0": [...EVENTS_4, "acceptInvitationLinear", "timeSpentViewing"],
  "4.1": EVENTS_4_1,
  "4.2": EVENTS_4_1,
  "4.3": EVENTS_4_1,
};
