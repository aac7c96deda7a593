import { type FirstStep, type FirstSteps, SDK_STATUS_TEXTS } from "@millrace/contract";
import { formatCount, formatDay } from "@millrace/units";

export interface StepWords {
  title: string;
  text: string;
}

/** What a step says in its state. */
export function stepWords(step: FirstStep, steps: FirstSteps): StepWords {
  return WORDS[step.step](step, steps);
}

type Words = (step: FirstStep, steps: FirstSteps) => StepWords;

const WORDS = {
  app({ state }) {
    if (state === "done") return { title: "App added", text: "It is live: its requests are auctioned." };
    if (state === "failed") return { title: "App banned", text: SDK_STATUS_TEXTS.bad };
    return { title: "App added", text: `${SDK_STATUS_TEXTS.check} Its requests get no ads until then.` };
  },
  demand({ state, count }, { partners_available }) {
    if (state === "done") return { title: "Demand connected", text: `${counted(count, "partner")} can bid.` };
    const text =
      partners_available === 0
        ? "The operator of this platform has not added a partner yet. Contact support."
        : "No partner bids for this app yet. A partner bids once the app has its keys.";
    return { title: "Connect demand", text };
  },
  snippet({ state, count, since }) {
    if (state !== "done") return { title: "Put the snippet in", text: "Waiting for the first session" };
    if (count === 0) return { title: "Snippet in", text: "Requests arrive without sessions of the SDK." };
    return { title: "Snippet in", text: happened(count, "session", since) };
  },
  request: ({ state, count, since }) => ({
    title: "First request",
    text: state === "done" ? happened(count, "request", since) : "Waiting for the first request",
  }),
  impression({ state, count, since }, { not_counted }) {
    const title = "First impression";
    if (state === "done") return { title, text: happened(count, "impression", since) };
    if (not_counted === 0) return { title, text: "Waiting for the first impression" };
    return {
      title,
      text: `Waiting for the first impression. ${counted(not_counted, "event")} arrived and did not count: those of tests and crawlers, and late or repeated ones, never do.`,
    };
  },
  app_ads({ state }, { has_site }) {
    if (state === "done") return { title: "app-ads.txt found", text: "Your developer site has all lines." };
    const text = has_site
      ? "Your developer site does not have all lines yet. It is looked at about once a minute."
      : "Buyers look for it on your developer site. Save the site, and the file is looked for there.";
    return { title: "Publish app-ads.txt (optional)", text };
  },
} as const satisfies Record<FirstStep["step"], Words>;

const counted = (count: number | null, what: string) => `${formatCount(count)} ${what}${count === 1 ? "" : "s"}`;

const happened = (count: number | null, what: string, since: string | null) =>
  since === null ? counted(count, what) : `${counted(count, what)} since ${formatDay(since)}`;
