import { HelpLink } from "../../../shared/help-link.tsx";
import { PATHS } from "../../../shared/paths.ts";
import { Section } from "./anchors.tsx";

/** The catalogue, which the server fills in. */
export const Partners = () => (
  <Section
    id="partners"
    title="Partners"
    lead={
      <>
        __PARTNERS__ adapters are part of the platform, and any other bidder that speaks OpenRTB connects by its
        address. The names say which protocols it speaks. They belong to their owners, none of whom endorses Millrace,
        and you need an agreement with each that you use.
      </>
    }
  >
    {"__PARTNER_LIST__"}
  </Section>
);

/** The demo's apps, which the server fills in. */
export const Stories = () => (
  <Section
    id="success-stories"
    title="Success Stories"
    lead="No customer has been asked for a quote, so there is none. What can be shown honestly is what the platform counted."
    isRaised
  >
    {"__STORIES__"}
  </Section>
);

const FACTS = [
  [
    "What it is",
    "A self-hosted platform for mobile-ad mediation: an SDK, an exchange, a dashboard and the books behind them.",
  ],
  ["Who it is for", "Publishers of apps, their advertisers, and the operators who run it for them."],
  ["Licence", "Apache License 2.0, the SDK included."],
  [
    "Built with",
    "TypeScript, with SDKs in Kotlin and BrightScript; PostgreSQL for the books, ClickHouse for the events.",
  ],
  [
    "Standards",
    "OpenRTB 2.6, VAST 4.2, MRAID 3, Native 1.2, TCF 2, GPP, app-ads.txt, sellers.json, SKAdNetwork, AdAttributionKit.",
  ],
  ["Figures", "Measured by a benchmark that is part of the source, with its method."],
] as const;

const ASSETS = [
  ["The logo, SVG", "/src/app/favicon.svg", "millrace-logo.svg"],
  ["A title picture, 1200 × 630", "/src/areas/site/landing/pictures/share.png", "millrace.png"],
  ["A screen, light", "/src/areas/site/landing/pictures/statistics-light.webp", "millrace-light.webp"],
  ["A screen, dark", "/src/areas/site/landing/pictures/statistics-dark.webp", "millrace-dark.webp"],
] as const;

/** Facts and pictures for those who write about the product. */
export const Press = () => (
  <Section
    id="press"
    title="Press"
    lead="Facts and pictures for writers. Use them freely; the figures in the pictures are those of the demonstration."
  >
    <div className="press">
      <dl>
        {FACTS.map(([name, fact]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
      </dl>
      <div>
        <ul className="assets">
          {ASSETS.map(([name, file, as]) => (
            <li key={name}>
              <a href={file} download={as}>
                {name}
              </a>
            </li>
          ))}
        </ul>
        <p className="small">
          Questions go to the operator, whose name and address are at the end of the <a href={PATHS.terms}>terms</a>.
          How each part works is in the <HelpLink to="">help centre</HelpLink>.
        </p>
      </div>
    </div>
  </Section>
);
