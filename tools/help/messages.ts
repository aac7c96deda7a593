import {
  CAMPAIGN_STATUS_TEXTS,
  POSTBACK_OUTCOME_TEXTS,
  PROFILE_SOCIAL_ERRORS,
  SDK_STATUS_LABELS,
  SDK_STATUS_TEXTS,
  SOCIAL_ERRORS,
  TEXTS,
  TICKET_ERRORS,
} from "@millrace/contract";
import { PROBLEMS, type ProblemCode } from "../../server/src/platform/http/problem.ts";
import type { Entry } from "./entries.ts";

/** Leaves the help, whose addresses begin with its own path. */
const SUPPORT = '<a href="/support" target="_self">contact support</a>';

/** What the help says about each message of the product. The types keep the lists complete. */

const PROBLEM_MEANINGS = {
  invalid: "a field is missing or wrong: `error` has a sentence for each; or the body is no JSON",
  unauthenticated: "the session, token, key or secret is missing, wrong or over",
  forbidden: "the role, or an access token, does not open this call",
  cross_site: "a change that no page of the platform has sent",
  not_found: "there is no such thing, or it belongs to another account",
  conflict: "it has been changed or done in the meantime",
  gone: "it is over",
  too_large: "the body is too large",
  unprocessable: "the request is well-formed, but something stands against it: `error` says what",
  too_early: "something has to happen first, such as the impression before its reward",
  too_many: "too many calls or changes",
  unavailable: "the platform is too busy, or cannot reach a store: nothing is saved",
} as const satisfies Record<ProblemCode, string>;

/** The statuses of failed calls, in their order. */
export const STATUSES = [
  ...(Object.keys(PROBLEMS) as ProblemCode[]).map((code) => ({
    status: PROBLEMS[code],
    meaning: PROBLEM_MEANINGS[code],
  })),
  // Fastify's own, for a body that the call does not take.
  { status: 415, meaning: "the body is not of the type that the call takes" },
  { status: 500, meaning: "a fault of the platform, which its log describes" },
].toSorted((a, b) => a.status - b.status);

const MESSAGES = {
  requestFailed: `The platform failed or could not be reached. Try again; if it stays, ${SUPPORT} and say when it happened.`,
  unavailable:
    "A store or another service that the platform needs does not answer. Nothing was changed; try again in a moment.",
  stale:
    "You, in another window, or somebody else of your account saved the same form after you had opened it. What was saved stays until the form is reloaded and saved again, and until then, what you entered stays in the form.",
  otherUser:
    "In another tab, this browser has signed in as another user since the page was opened. Nothing was saved, so that what you entered for one account does not get into another. The page reloads by itself within seconds.",
  required: "Fill in the field.",
  invalidEmail: "An address looks like `name@example.com`.",
  passwordAlphabet:
    "Passwords have digits, Latin letters and these signs, so that they can be typed on every keyboard.",
  passwordTooShort: "Use a longer password: a passphrase of several words is easy to remember.",
  passwordTooLong: "Use a shorter password.",
  nameAlphabet: "Names have Latin letters, apostrophes, hyphens, dots and underscores, in up to three words.",
  nameTooShort: "Enter the full name.",
  nameTooLong: "Enter a shorter name.",
  nameUnseen: "Remove line breaks and characters that cannot be seen.",
  phoneAlphabet: "Write the number as in `+4915112345678`.",
  phoneTooShort: "Enter the number with its country code.",
  phoneTooLong: "International numbers have at most 15 digits.",
  passwordsDiffer: "Enter the same password twice.",
  agree: "An account needs your consent to the terms.",
  chooseRole: "A role says what the person may see and do: see [Team](/team-and-roles).",
  chooseApps: "Choose the apps that this person may see.",
  superHasAllApps: "A manager who may add managers sees all apps.",
  codeLength: "Enter the six digits that your authenticator shows now.",
  codeDigits: "Enter digits only.",
  setupCodeLength: "Enter the six digits that your authenticator shows for the new secret.",
  checkFields: "The page scrolls to the first field that needs a change, with its reason below it.",
  noSdkVersions: "No session of the chosen days told its SDK version.",
  unknownCountry: "The address of the device belongs to no known country. In calls and files, its code is `XX`.",
  tryAgain: "Loads the block once more.",
  wrongCode:
    "The code is wrong, was used before, or its time is over: wait for the next one. Check that the clock of your device is right.",
  lookupTimeout:
    "The store did not answer within 30 seconds. Try again, or add the app by hand under **In development**.",
  appUrlRequired: "Paste the app's address in its store, or its bundle id.",
  bundleIdRequired: "Partners recognise an app by its bundle id, such as `com.example.game`.",
  appNameRequired: "Enter the app's name.",
  sampleApp:
    "Sample apps show what the dashboard looks like with figures. They go away when you add an app of your own.",
  sampleFigures: "The figures of sample apps count towards none of your money.",
  kidsAndAdult: "Choose one of the two.",
  wrongSocialCode: "Enter the code of your authenticator once more.",
  socialSessionExpired: "Start the sign-in again.",
  blocked: "The operator has blocked the account. Write to the address that the sign-in shows to hear why.",
  incorrectUrlOrId: "Enter a web address, the app's number in the App Store, or its package name.",
  invalidUrl: "Enter an address that starts with `https://` or `http://`.",
  linkTooLong:
    "A link with its macros may have 1,000 characters. Leave out parameters that your provider does not need.",
  domainNeeded:
    "Publishers block advertisers by their domain, so an ad must open a page at a domain name. An IP address or `localhost` has none.",
  invalidId: "The id does not have the form of its store's ids.",
  budgetNeeded: "Enter the total budget in dollars; 0 means no limit.",
  bidNeeded: "Enter the bid in dollars per thousand impressions, at least $0.25.",
  dateFormat: "Choose the day in the calendar, or type year, month and day.",
  startInPast: "A new campaign starts later than now.",
  endBeforeStart: "Choose a later end, or none.",
  endTooFar: "Choose an earlier end, or none: a campaign without an end runs until you stop it.",
  timeFormat: "For example, `08:30`.",
  endTimeBeforeStart: "The hours of a day end later than they start.",
  addCreative: "A campaign needs something to show.",
  addApplication: "Choose at least one app in which the promotion is shown.",
  addImage: "A promotion needs a landscape or a portrait image.",
  maxVersion: "Raise the highest version, or choose all versions.",
  formatStays: "Figures by format give a campaign's past to its format. Add another campaign for another format.",
  chooseCountry: "Choose the countries, or target all.",
  duplicateCaps: "Two frequency caps have the same period and the same subject; keep one.",
} as const satisfies Record<keyof typeof TEXTS, string>;

const SOCIAL = {
  bind_another_account: "The account already has an identity of this provider. Remove it in the profile first.",
  bind_another_user: "Another user of this platform signs in with this identity.",
  email_not_verify: "The identity provider has not verified your address yet. Verify it there, then try again.",
  blocked: MESSAGES.blocked,
  other: "The identity provider refused, or the sign-in was cancelled. Try again.",
} as const satisfies Record<keyof typeof SOCIAL_ERRORS, string>;

const TICKETS = {
  not_found: "The address is incomplete or mistyped. Open it from the mail once more.",
  not_last: "Only the newest mail's link works.",
  expired: "For your safety, links work for a limited time.",
  activated: "Every link works once. Log in with the new password.",
  other: "Ask for a new link on the recovery page.",
} as const satisfies Record<keyof typeof TICKET_ERRORS, string>;

const CAMPAIGNS = {
  play: "It takes part in auctions, unless the budget of the day is spent.",
  pause: "The campaign balance is empty, or all of its creatives are blocked; a message tells which.",
  wait: "It starts at its date, or waits for the approval of a creative or for the next of its days and hours.",
  done: "Its end has passed, none of its days and hours is left before it, or its budget is spent. A later end or a higher budget lets it run again.",
  frozen: "Its owner stopped it. **Run** lets it go on.",
} as const satisfies Record<keyof typeof CAMPAIGN_STATUS_TEXTS, string>;

const SDK = {
  on: "Sessions of the newest version arrive.",
  update: "Sessions arrive, and their SDK is older than the newest.",
  check: "A moderator looks at the new app.",
  checked: "The app is approved, and no session has arrived yet.",
  off: "No session has arrived for 30 days. [Get started](/start/).",
  download: "No session has ever arrived. [Get started](/start/).",
  bad: "The operator has banned the app; it gets no ads.",
} as const satisfies Record<keyof typeof SDK_STATUS_TEXTS, string>;

const POSTBACKS = {
  accepted: "The conversion is counted.",
  unauthorized: "Copy the address with its secret once more from the campaign's form.",
  malformed: "Compare the parameters with [Postbacks](/advertisers/postbacks).",
  unknown_click: "The click id is incomplete, or belongs to another account.",
  late: "The campaign's window is part of its form.",
  replayed: "Repeats are expected, and count once.",
  over_limit:
    "A click or an impression has at most so many events. Check that your postbacks have the click id of the user who caused the event.",
} as const satisfies Record<keyof typeof POSTBACK_OUTCOME_TEXTS, string>;

const entries = <K extends string>(
  texts: Readonly<Record<K, string>>,
  explained: Readonly<Record<K, string>>,
  prefix: string,
): Entry[] =>
  (Object.keys(texts) as K[]).map((id) => ({ id: `${prefix}${id}`, title: texts[id], text: explained[id] }));

/** By section, with its title. */
export const MESSAGE_SECTIONS: readonly { title: string; entries: Entry[] }[] = [
  { title: "Forms and pages", entries: entries(TEXTS, MESSAGES, "") },
  { title: "Sign-in with Google or Facebook", entries: entries(SOCIAL_ERRORS, SOCIAL, "social_") },
  {
    title: "Linking an identity in the profile",
    entries: entries(PROFILE_SOCIAL_ERRORS, SOCIAL, "profile_social_"),
  },
  { title: "Links in mails", entries: entries(TICKET_ERRORS, TICKETS, "ticket_") },
  { title: "A campaign's status", entries: entries(CAMPAIGN_STATUS_TEXTS, CAMPAIGNS, "campaign_") },
  {
    title: "An app's SDK status",
    entries: entries(SDK_STATUS_TEXTS, SDK, "sdk_").map(({ id, title, text }) => {
      const label = Object.entries(SDK_STATUS_LABELS).find(([status]) => id === `sdk_${status}`)?.[1] ?? "SDK check";
      return { id, title: `${label}: ${title}`, text };
    }),
  },
  { title: "What became of a postback", entries: entries(POSTBACK_OUTCOME_TEXTS, POSTBACKS, "postback_") },
];
