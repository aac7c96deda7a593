import { BrandMark } from "../../../ui/brand-mark.tsx";
import { HelpLink } from "../../../shared/help-link.tsx";
import { LEGAL_PAGES, PATHS } from "../../../shared/paths.ts";
import { AuctionPicture } from "./auction-picture.tsx";
import { AuthAnchor } from "./anchors.tsx";
import { Claims } from "./claims.tsx";
import { Formats } from "./formats.tsx";
import { Partners, Press, Stories } from "./proof.tsx";
import { Advantages, HowItWorks, Solution } from "./solution.tsx";
import { Screens } from "./screens.tsx";

const SECTIONS = [
  ["solution", "Solution"],
  ["how-it-works", "How it works"],
  ["ux", "UX"],
  ["formats", "Formats"],
  ["advantages", "Advantages"],
  ["partners", "Partners"],
  ["success-stories", "Success Stories"],
  ["press", "Press"],
] as const;

/**
 * The public page, drawn once by the build. Nothing in it may depend on a browser; `landing.ts` adds what a script can: the
 * auth dialogs, the living auctions and the previews of the formats.
 */
export const LandingPage = () => (
  <div className="landing">
    <a className="skip" href="#main">
      Skip to the content
    </a>
    <Header />
    <main id="main">
      <Hero />
      <Claims />
      <Solution />
      <HowItWorks />
      <Screens />
      <Formats />
      <Advantages />
      <Partners />
      <Stories />
      <Press />
      <Closing />
    </main>
    <Footer />
  </div>
);

const Header = () => (
  <header className="top">
    <div className="wide">
      <a className="brand" href={PATHS.landing}>
        <BrandMark size={26} /> Millrace
      </a>
      <nav className="sections" aria-label="Sections">
        {SECTIONS.map(([id, name]) => (
          <a key={id} href={`#${id}`}>
            {name}
          </a>
        ))}
      </nav>
      <nav className="account" aria-label="Account">
        <AuthAnchor authForm="login" className="button quiet">
          Log in
        </AuthAnchor>
        <AuthAnchor authForm="signup" className="button">
          Sign up
        </AuthAnchor>
      </nav>
    </div>
  </header>
);

const Ways = () => (
  <div className="ways">
    <AuthAnchor authForm="signup" className="button large">
      Sign up
    </AuthAnchor>
    <AuthAnchor authForm="login" className="button large second">
      Log in
    </AuthAnchor>
  </div>
);

const Hero = () => (
  <section className="hero wide">
    <div className="pitch">
      <h1 tabIndex={-1}>Mobile ad mediation that shows its work</h1>
      <p className="lead">
        Publishers add one SDK to their apps. Every ad request is sold in a 100 ms auction, and one dashboard shows what
        was earned, by whom it was paid, and why.
      </p>
      <Ways />
      <p className="small only-demo">This is a demonstration: its apps, bidders and traffic are simulated.</p>
    </div>
    <AuctionPicture />
  </section>
);

const Closing = () => (
  <section className="closing" aria-labelledby="closing-title">
    <div className="wide">
      <h2 id="closing-title">See your own auctions</h2>
      <p>
        Add an app, send a test ad once the app is approved, and read its auction. The{" "}
        <HelpLink to="">help centre</HelpLink> explains how it all works.
      </p>
      <Ways />
    </div>
  </section>
);

const Footer = () => (
  <footer className="foot">
    <div className="wide">
      <span>© __YEAR__ Millrace</span>
      <nav aria-label="More">
        <HelpLink to="">Help</HelpLink>
        <HelpLink to="api/">API reference</HelpLink>
      </nav>
      <nav aria-label="Legal">
        {LEGAL_PAGES.map(([path, name]) => (
          <a key={path} href={path}>
            {name}
          </a>
        ))}
      </nav>
    </div>
  </footer>
);
