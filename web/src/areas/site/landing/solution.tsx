import { AUCTION_DEADLINE_MS } from "@millrace/contract";
import type { ReactNode } from "react";
import { AuthAnchor, Section } from "./anchors.tsx";

const SIDES = [
  {
    id: "publishers",
    title: "For publishers",
    text: "You own apps and want to earn with them.",
    points: [
      "One SDK or one call: a web SDK, VAST tags, OpenRTB and Prebid share the same auction.",
      "Every partner that you hold keys for is asked at once, and sellers that take no bid requests compete at what they are expected to pay.",
      "Floors by country and format, with what a change would have done to yesterday's traffic before you save it.",
      "Revenue, fill rate, lifetime value and sessions by app, provider, format and country; as CSV, PDF or by API.",
      "Cross promotion of your own apps where nobody bought.",
      "Monthly payments above the operator's minimum, each with a statement, and an explanation for each deduction.",
    ],
    action: "Sign up as a publisher",
    role: "NEW",
  },
  {
    id: "advertisers",
    title: "For advertisers",
    text: "You want people to find your app.",
    points: [
      "Campaigns of images, banners and videos that bid in the same auctions as every partner.",
      "Targeting by country, platform, system version, connection, weekday and hour, with frequency caps.",
      "An estimate of reach, people and money before you save, as a range.",
      "A budget that is never exceeded: the price of each returned ad is reserved first.",
      "Why a campaign does not spend, as one sentence with the step that mends it.",
      "Installs and events by signed postbacks, what Apple attributes, and tests of creatives.",
    ],
    action: "Sign up as an advertiser",
    role: "ADV",
  },
] as const;

/** The two sides of the market. */
export const Solution = () => (
  <Section
    id="solution"
    title="One auction for both sides of the market"
    lead="Mediation usually answers with a number. Millrace answers with the auction behind it: who was asked, what they bid, when they answered, and why one of them won."
  >
    <div className="sides">
      {SIDES.map(({ id, title, text, points, action, role }) => (
        <section key={id} className="panel" aria-labelledby={`${id}-title`}>
          <h3 id={`${id}-title`}>{title}</h3>
          <p>{text}</p>
          <ul className="ticks">
            {points.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ul>
          <AuthAnchor authForm="signup" role={role} className="button second">
            {action}
          </AuthAnchor>
        </section>
      ))}
    </div>
  </Section>
);

const STEPS: readonly { title: string; text: ReactNode }[] = [
  {
    title: "The app asks",
    text: "The SDK names a zone and a format. Consent signals travel along, and what they do not allow is removed before anybody is asked.",
  },
  {
    title: `${AUCTION_DEADLINE_MS} ms of auction`,
    text: "Partners are called at once, campaigns bid without a call, line items stand at their expected price. The highest valid bid wins and pays its own price.",
  },
  {
    title: "The ad shows",
    text: "The answer is ordered, so that the SDK goes on with the next ad if one cannot be shown. An impression counts once, after it is on disk.",
  },
  {
    title: "The money adds up",
    text: "Micro-dollars in integers from the bid to the payment. The dashboard, the report and the books count the same events, and every difference has a name.",
  },
];

const CODE = `Millrace.initialize({
  app: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
  platform: "android",
  endpoint: "__PUBLIC_URL__",
});

// A banner loads its ads itself, and refreshes them.
Millrace.showAd("home", { into: banner, size: "320x50" });

// A full-screen ad is loaded before it is needed.
Millrace.loadAd({ zone: "level_end", format: "interstitial" });`;

/** The way of an ad, and the code that starts it. */
export const HowItWorks = () => (
  <Section
    id="how-it-works"
    title="How it works"
    lead="Four steps, each explained. An auction with a trace, 1% by default and all in a demo, can be replayed to the same bytes."
    isRaised
  >
    <div className="way">
      <ol className="steps">
        {STEPS.map(({ title, text }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ol>
      <figure className="code panel">
        <figcaption>
          The whole integration <a href="/sdk/millrace.js">millrace.js</a>
        </figcaption>
        <pre>
          <code>{CODE}</code>
        </pre>
      </figure>
    </div>
  </Section>
);

const ADVANTAGES = [
  [
    "No black box",
    "Each decision is a pure function of what was recorded. Every shown ad answers why it won at its price, every empty answer why there was none.",
  ],
  [
    "Numbers now",
    "The dashboard shows an impression within seconds, broken down by app, provider, format and country.",
  ],
  [
    "Counted once",
    "A beacon is acknowledged after its event is on disk. Repeats, retries and crashes change no number.",
  ],
  [
    "First price, no hidden margin",
    "Winners pay their bid. The platform's fee is one percentage, and stands beside the price of every single impression.",
  ],
  [
    "Privacy by construction",
    "TCF, GPP, US privacy and child-directed signals decide per partner what is asked and what is sent. Devices are stored as keyed hashes.",
  ],
  [
    "Yours to run",
    "Open source under the Apache License 2.0. One command starts the platform with its databases; your own PostgreSQL and ClickHouse take over at scale.",
  ],
] as const;

/** What sets the product apart. */
export const Advantages = () => (
  <Section
    id="advantages"
    title="Advantages"
    lead="What changes when a mediation platform can explain itself."
    isRaised
  >
    <dl className="advantages">
      {ADVANTAGES.map(([title, text]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  </Section>
);
