import { FORMATS, FORMAT_LABELS } from "@millrace/contract";
import { useEffect } from "react";
import { useSite } from "../../../shared/site.ts";
import { BrandMark } from "../../../ui/brand-mark.tsx";
import { AuctionExample } from "../parts/auction-example.tsx";
import { AuthButton } from "../parts/auth-button.tsx";
import { SiteFooter } from "../parts/site-footer.tsx";
import classes from "./landing-page.module.css";

const STANDS = [
  {
    title: "A 100 ms auction",
    text: "Every ad request is offered to the demand partners you hold keys for, all at once. The highest valid bid wins, at its price.",
  },
  {
    title: "No black box",
    text: "Each impression answers why this ad, at this price. Each empty answer says why no ad. A recorded auction replays to the same bytes.",
  },
  {
    title: "Numbers now",
    text: "Revenue, eCPM, fill rate and uniques by app, provider, format and country, seconds after the impression.",
  },
  {
    title: "To the micro-dollar",
    text: "An event is on disk before it is answered. Repeats, retries and crashes change no number.",
  },
] as const;

/** What the product does, and the ways to sign in. */
export function LandingPage() {
  const isDemo = useSite().data?.demo === true;
  useEffect(() => {
    document.title = "Millrace: mobile ad mediation that shows its reasons";
  }, []);
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <span className={classes.brand}>
          <BrandMark size={26} /> Millrace
        </span>
        <nav aria-label="Ways in">
          <AuthButton authForm="login" className={classes.quiet}>
            Log in
          </AuthButton>
          <AuthButton authForm="signup" className={classes.button}>
            Sign up
          </AuthButton>
        </nav>
      </header>
      <main>
        <section className={classes.hero}>
          <div>
            <h1 tabIndex={-1}>Mobile ad mediation that shows its reasons</h1>
            <p>
              Publishers put one SDK into their apps. Every ad request is sold in an auction among demand partners, and
              one dashboard tells what was earned, and why.
            </p>
            <div className={classes.ways}>
              <AuthButton authForm="signup" className={classes.button}>
                Sign up
              </AuthButton>
              <AuthButton authForm="login" className={classes.second}>
                Log in
              </AuthButton>
            </div>
            {isDemo ? (
              <p className={classes.demo}>This is a demonstration: its apps, partners and traffic are simulated.</p>
            ) : null}
          </div>
          <AuctionExample />
        </section>
        <section className={classes.stands} aria-label="What it does today">
          {STANDS.map(({ title, text }) => (
            <div key={title}>
              <h2>{title}</h2>
              <p>{text}</p>
            </div>
          ))}
        </section>
        <p className={classes.formats}>
          <span>Formats</span> {FORMATS.map((format) => FORMAT_LABELS[format]).join(" · ")}
        </p>
      </main>
      <SiteFooter />
    </div>
  );
}
