import { ACCOUNT_LIMITS, type SdkStatus } from "./constants.ts";

/** The product's exact texts, so that pages and errors use the same words everywhere. */
export const TEXTS = {
  requestFailed: "There was an error with your request, please try again",
  unavailable: "This cannot be done right now; please try again in a moment",
  stale: "Somebody has changed this since you opened it. Reload it to see what is saved, then make your changes again.",
  otherUser: "This browser is signed in as somebody else now. Reload the page to go on as that user.",
  required: "This field is required",
  invalidEmail: "Enter a valid email address",
  passwordAlphabet: "Use digits, letters or !#$%&()+,-.=@[]^_`{}~",
  passwordTooShort: "Field should contain at least 6 characters",
  passwordTooLong: "Field should contain no more than 128 characters",
  nameAlphabet: "Use latin letters or '-._",
  nameTooShort: "Please enter at least 2 characters",
  nameTooLong: "Please enter no more than 25 characters.",
  nameUnseen: "Use visible characters on one line",
  phoneAlphabet: "Use digits, with an optional plus in front",
  phoneTooShort: "Please enter at least 9 characters",
  phoneTooLong: "Please enter no more than 15 digits",
  passwordsDiffer: "Passwords must match",
  agree: "Please accept the terms",
  chooseRole: "Please choose a role",
  chooseApps: "Please choose at least one app",
  superHasAllApps: "Only a person with all apps may add managers",
  codeLength: "Code must contain 6 digits",
  codeDigits: "Code must contain digits",
  setupCodeLength: "Verification code contains 6 digits",
  checkFields: "Please check highlighted fields before submitting",
  noSdkVersions: "No SDK versions found",
  unknownCountry: "Unknown country",
  tryAgain: "Try again?",
  wrongCode: "Your code is incorrect",
  lookupTimeout: "Request took too long to complete. Try again or change search url",
  appUrlRequired: "Your bundle ID or app url is required",
  bundleIdRequired: "Your bundle ID is required",
  appNameRequired: "Your app name is required",
  sampleApp:
    "A sample app: its figures are made up, and no part of your balance. It serves no ads, and is removed when you add an app of your own.",
  sampleFigures: "Figures of sample apps are among these: they are made up, and no part of your balance.",
  kidsAndAdult: "An app for children cannot be for adults only",
  wrongSocialCode: "Please enter correct code",
  socialSessionExpired: "Login session expired, please try again",
  blocked: "This account is blocked. Please contact support",
  incorrectUrlOrId: "Incorrect url or id",
  invalidUrl: "Please enter a valid URL",
  linkTooLong: "Please enter a valid URL of at most 1,000 characters",
  domainNeeded: "Please enter a URL with a domain name",
  invalidId: "Please enter a valid ID",
  budgetNeeded: "Add budget in $",
  bidNeeded: "Add value in $",
  formatStays: "The format of a saved campaign cannot be changed",
  dateFormat: "Date format must be yyyy/mm/dd",
  startInPast: "Date and time must be after current date",
  endBeforeStart: "End date must be after start date",
  endTooFar: "Choose an end within 5 years",
  timeFormat: "Time in hh:mm format",
  endTimeBeforeStart: "End time must be after start",
  addCreative: "Add at least 1 creative",
  addApplication: "Add at least 1 application",
  addImage: "At least 1 image is required",
  maxVersion: "Max version must be higher than min",
  chooseCountry: "Choose at least one country",
  duplicateCaps: "These are duplicate limits",
} as const;

/** The message for a frequency cap that allows more than the next wider one. */
export const capTooHighText = (period: string, per: string) => `This value must be lesser than in ${period} per ${per}`;

/** What a campaign's indicator says. */
export const CAMPAIGN_STATUS_TEXTS = {
  play: "Campaign started",
  pause: "Campaign suspended",
  wait: "Campaign waiting",
  done: "Campaign over",
  frozen: "Campaign frozen",
} as const;

export const loadingText = (content: string) => `Loading ${content} ...`;
export const notFoundText = (content: string) => `No ${content} found`;
export const fetchErrorText = (error: string) =>
  `There was an error while fetching: "${error}". Try refreshing the page or contact us.`;
export const partnerAddFailedText = (partner: string) =>
  `Failed to add ${partner}. This can be caused by Ad blocking software. If you have it installed, please try temporary disabling it before sending again.`;

const LIMITED = {
  apps: "An account can have at most # apps.",
  floors: "The apps of an account can have at most # floors in total.",
  blocks: "The apps of an account can have at most # blocked categories and domains in total.",
  testDevices: "The apps of an account can have at most # test devices in total.",
  lineItemCharacters:
    "The tags, prices and zones of the line items of an account can have at most # characters in total.",
  partnerKeyBytes: "The keys of an account's apps at partners can have at most # bytes in total.",
} as const satisfies Record<keyof typeof ACCOUNT_LIMITS, string>;
/** Messages for an account that reaches one of its limits. */
export const accountLimitText = (what: keyof typeof ACCOUNT_LIMITS) =>
  `${LIMITED[what].replace("#", ACCOUNT_LIMITS[what].toLocaleString("en-US"))} Remove some first, or contact support.`;

/** Error codes in the query of a social sign-in's return; unknown codes are treated as `other`. */
export const SOCIAL_ERRORS = {
  bind_another_account: "Your account is already linked. Please use another account.",
  bind_another_user:
    "Your account is already linked to another user. Please use another account or unlink before adding.",
  email_not_verify: "Please verify you email before linking.",
  blocked: TEXTS.blocked,
  other: "There was an error with your request.",
} as const;

/** The same for linking an identity in the profile. */
export const PROFILE_SOCIAL_ERRORS = {
  ...SOCIAL_ERRORS,
  bind_another_account: "Your user already has another account linked. Please use another account.",
} as const;

/** Why a password link can no longer be used. */
export const TICKET_ERRORS = {
  not_found: "This link is not active.",
  not_last: "A newer link is available.",
  expired: "This link expired. Resend a new one if you wish to change password.",
  activated: "This link has already been activated.",
  other: "This link is no longer active. Try a different one to continue.",
} as const;

/** Labels of an app's SDK pill; `off`, `download` and `bad` count as bad. */
export const SDK_STATUS_LABELS = {
  on: "SDK on",
  update: "Update SDK",
  check: "SDK check",
  off: "SDK off",
  download: "No SDK yet",
  bad: "SDK banned",
} as const satisfies Record<SdkStatus, string>;

/** The explanation of the pill; `checked` replaces `check` once the moderation is complete (class `success`). */
export const SDK_STATUS_TEXTS = {
  on: "SDK is currently on",
  update: "This app runs an old SDK. Please update it.",
  check: "Your application is being moderated. Please wait.",
  checked: "Moderation is complete. Run the SDK.",
  off: "The SDK is not installed. Follow the instructions.",
  download: "The SDK is not installed. Follow the instructions.",
  bad: "This app is banned. Contact support.",
} as const satisfies Record<SdkStatus | "checked", string>;

/** What somebody wrote, with one full stop at its end, so that a sentence can follow. */
export const asSentence = (text: string): string => (/[.!?…]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);
