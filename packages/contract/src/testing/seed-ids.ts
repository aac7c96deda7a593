/** The variable parts of a request. */
export interface SeedParts {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
}

/** The objects of requests. */
export interface SeedIds {
  /** Read, and shown ads in. */
  app: string;
  /** Changed and deleted. */
  changedApp: string;
  subUser: string;
  manager: string;
  /** Of personal data. */
  personalExport: string;
  /** A statistics file that is not ready. */
  tableFile: string;
  /** The user and the app that an admin acts on. */
  user: string;
  waitingApp: string;
  /** One that may have reached its provider. */
  payout: string;
  /** An unanswered one. */
  supportMessage: string;
  /** A disputable one. */
  deduction: string;
  /** A difference between books and events. */
  drift: string;
  killSwitch: string;
  /** A partner's statement. */
  statement: string;
  /** An invoice of the account. */
  invoice: string;
  /** A news mail. */
  news: string;
  auction: string;
  campaign: string;
  /** An in-house campaign. */
  inhouse: string;
  /** A line item of the changed app. */
  lineItem: string;
  /** The address of an uploaded banner. */
  image: string;
  /** A creative that awaits moderation. */
  creative: string;
  /** A running session of the SDK. */
  sdkSession: string;
}

/** An id that does not exist. */
export const NOBODY = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";

/** Ids that do not exist, except the given ones. */
export const seedIds = (some: Partial<SeedIds> = {}): SeedIds => ({
  app: NOBODY,
  changedApp: NOBODY,
  subUser: NOBODY,
  manager: NOBODY,
  personalExport: NOBODY,
  tableFile: NOBODY,
  user: NOBODY,
  waitingApp: NOBODY,
  payout: NOBODY,
  supportMessage: NOBODY,
  deduction: NOBODY,
  drift: NOBODY,
  killSwitch: NOBODY,
  statement: NOBODY,
  invoice: NOBODY,
  news: NOBODY,
  auction: NOBODY,
  campaign: NOBODY,
  inhouse: NOBODY,
  lineItem: NOBODY,
  image: "/files/unknown.png",
  creative: NOBODY,
  sdkSession: "",
  ...some,
});
