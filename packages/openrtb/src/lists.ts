/** Why a bidder or the exchange does not bid (OpenRTB 2.6, list "No-Bid Reason Codes"). */
export const NBR = {
  unknown: 0,
  technicalError: 1,
  invalidRequest: 2,
  webCrawler: 3,
  nonHumanTraffic: 4,
  proxyIp: 5,
  unsupportedDevice: 6,
  blockedPublisher: 7,
  unmatchedUser: 8,
  dailyUserCap: 9,
  dailyDomainCap: 10,
  adsTxtUnavailable: 11,
  adsTxtViolation: 12,
  adsCertUnavailable: 13,
  adsCertViolation: 14,
  insufficientTime: 15,
  incompleteSupplyChain: 16,
  blockedSupplyChainNode: 17,
} as const;
export type Nbr = (typeof NBR)[keyof typeof NBR];

/** Why a bid did not win (list "Loss Reason Codes"). */
export const LOSS = {
  won: 0,
  internalError: 1,
  impExpired: 2,
  invalidResponse: 3,
  invalidDeal: 4,
  invalidAuctionId: 5,
  invalidAdvertiserDomain: 6,
  missingMarkup: 7,
  missingCreativeId: 8,
  missingPrice: 9,
  missingApprovalData: 10,
  belowFloor: 100,
  belowDealFloor: 101,
  outbid: 102,
  lostToDeal: 103,
  seatBlocked: 104,
  creativeFiltered: 200,
  creativePending: 201,
  creativeDisapproved: 202,
  sizeNotAllowed: 203,
  wrongCreativeFormat: 204,
  advertiserExcluded: 205,
  bundleExcluded: 206,
  notSecure: 207,
  languageExcluded: 208,
  categoryExcluded: 209,
  attributeExcluded: 210,
  adTypeExcluded: 211,
  animationTooLong: 212,
  notAllowedInDeal: 213,
} as const;
export type Loss = (typeof LOSS)[keyof typeof LOSS];

/** Auction types of `at`. */
export const AUCTION_TYPE = { firstPrice: 1, secondPricePlus: 2, fixedPrice: 3 } as const;

/** AdCOM list "Device Types". */
export const DEVICE_TYPE = {
  mobileOrTablet: 1,
  personalComputer: 2,
  connectedTv: 3,
  phone: 4,
  tablet: 5,
  connectedDevice: 6,
  setTopBox: 7,
  outOfHome: 8,
} as const;

/** AdCOM list "Connection Types". */
export const CONNECTION_TYPE = {
  unknown: 0,
  ethernet: 1,
  wifi: 2,
  cellular: 3,
  cellular2g: 4,
  cellular3g: 5,
  cellular4g: 6,
  cellular5g: 7,
} as const;

/** AdCOM list "API Frameworks". */
export const API = {
  vpaid1: 1,
  vpaid2: 2,
  mraid1: 3,
  ormma: 4,
  mraid2: 5,
  mraid3: 6,
  omid1: 7,
  simid1: 8,
  simid11: 9,
} as const;

/** AdCOM list "Creative Attributes". */
export const CREATIVE_ATTRIBUTE = {
  audioAutoPlay: 1,
  audioUserInitiated: 2,
  expandableAutomatic: 3,
  expandableOnClick: 4,
  expandableOnRollover: 5,
  videoInBannerAutoPlay: 6,
  videoInBannerUserInitiated: 7,
  pop: 8,
  provocative: 9,
  shaky: 10,
  surveys: 11,
  textOnly: 12,
  userInteractive: 13,
  alertStyle: 14,
  audioButton: 15,
  skippable: 16,
  adobeFlash: 17,
  responsive: 18,
} as const;

/** AdCOM list "Creative Subtypes - Audio/Video": values of `protocols`. */
export const PROTOCOL = {
  vast1: 1,
  vast2: 2,
  vast3: 3,
  vast1Wrapper: 4,
  vast2Wrapper: 5,
  vast3Wrapper: 6,
  vast4: 7,
  vast4Wrapper: 8,
  daast1: 9,
  daast1Wrapper: 10,
  vast41: 11,
  vast41Wrapper: 12,
  vast42: 13,
  vast42Wrapper: 14,
  vast43: 15,
  vast43Wrapper: 16,
} as const;

/** AdCOM list "Placement Positions". */
export const POSITION = {
  unknown: 0,
  aboveFold: 1,
  locked: 2,
  belowFold: 3,
  header: 4,
  footer: 5,
  sidebar: 6,
  fullScreen: 7,
} as const;

/** AdCOM list "Plcmt Subtypes - Video". */
export const VIDEO_PLACEMENT = { instream: 1, accompanying: 2, interstitial: 3, standalone: 4 } as const;

/** AdCOM list "Playback Methods". */
export const PLAYBACK_METHOD = {
  pageLoadSoundOn: 1,
  pageLoadSoundOff: 2,
  clickSoundOn: 3,
  mouseOverSoundOn: 4,
  viewportSoundOn: 5,
  viewportSoundOff: 6,
  continuous: 7,
} as const;

/** AdCOM list "Delivery Methods". */
export const DELIVERY_METHOD = { streaming: 1, progressive: 2, download: 3 } as const;

/** AdCOM list "Companion Types". */
export const COMPANION_TYPE = { staticResource: 1, htmlResource: 2, iframeResource: 3 } as const;

/** AdCOM list "Location Types". */
export const LOCATION_TYPE = { gps: 1, ipAddress: 2, userProvided: 3 } as const;
