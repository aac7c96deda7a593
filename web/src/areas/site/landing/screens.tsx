import { Section } from "./anchors.tsx";

interface PictureProps {
  /** A file of `pictures/`, without its extension. */
  name: string;
  alt: string;
  /** In pixels of the page. */
  size: readonly [number, number];
}

/** The build gives the file an address of its own. */
export const Picture = ({ name, alt, size: [width, height] }: PictureProps) => (
  <img
    src={`/src/areas/site/landing/pictures/${name}.webp`}
    alt={alt}
    width={width}
    height={height}
    loading="lazy"
    decoding="async"
  />
);

const SCREENS = [
  {
    name: "statistics",
    title: "What was earned, and what changed",
    text: "Click a key figure to see its chart. The page then explains what moved revenue: requests, fill rate and eCPM as steps that add up, and the apps, partners and countries that moved most.",
    alt: "An app's statistics: key figures, revenue by day against the days before, and what changed.",
  },
  {
    name: "auction",
    title: "Why this ad, at this price",
    text: "One request, everybody who was asked, two axes: when they answered and what they bid, with the floor drawn through. A row opens what went over the wire.",
    alt: "One auction: the bidders with their answers in milliseconds, their bids against the floor, and the winner.",
  },
  {
    name: "mediation",
    title: "Who is asked, in the order that decides",
    text: "Bidders, line items and campaigns in one list by expected price. A switch takes effect within seconds, and you can try a new floor on yesterday's bids first.",
    alt: "An app's mediation: its sources in the order of their expected price, with rates and timeouts.",
  },
] as const;

/** The product's own screens, in the page's colour scheme. */
export const Screens = () => (
  <Section
    id="ux"
    title="A dashboard you can argue with"
    lead="Revenue leads to its auctions, and every reason to its explanation. Light and dark, from a phone to a large screen, all by keyboard."
  >
    <div className="screens">
      {SCREENS.map(({ name, title, text, alt }) => (
        <figure key={name} className="screen">
          <div className="frame panel">
            {(["light", "dark"] as const).map((scheme) => (
              <div key={scheme} className={`in-${scheme}`}>
                <Picture name={`${name}-${scheme}`} alt={alt} size={[1440, 900]} />
              </div>
            ))}
          </div>
          <figcaption>
            <h3>{title}</h3>
            <p>{text}</p>
          </figcaption>
        </figure>
      ))}
    </div>
  </Section>
);
