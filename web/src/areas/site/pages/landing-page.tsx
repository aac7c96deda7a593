import { FORMATS, FORMAT_LABELS } from "@millrace/contract";
import { useEffect } from "react";
import { useSite } from "../../../shared/site.ts";
import { BrandMark } from "../../../ui/brand-mark.tsx";
import { AuctionExample } from "../parts/auction-example.tsx";
import { AuthButton } from "../parts/auth-button.tsx";
import { SiteFooter } from "../parts/site-footer.tsx";
import classes from "./landing-page.module.css";

const HIGHLIGHTS = [
  {
    title: "A 100 ms auction",
    text: "Every ad request goes to all demand partners that you have keys for, at once. The highest valid bid wins, at its own price.",
  },
  {
    title: "No black box",
    text: "Every impression shows why this ad won, and at what price. Every empty response shows why there was no ad. A recorded auction replays byte for byte.",
  },
  {
    title: "Numbers now",
    text: "Revenue, eCPM, fill rate and uniques by app, provider, format and country, seconds after the impression.",
  },
  {
    title: "To the micro-dollar",
    text: "Every event is on disk before it is acknowledged. Duplicates, retries and crashes never change a number.",
  },
] as const;

/** What the product does, and the ways to sign in. */
export function LandingPage() {
  const isDemo = useSite().data?.demo === true;
  useEffect(() => {
    document.title = "Millrace: mobile ad mediation that shows its work";
  }, []);
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <span className={classes.brand}>
          <BrandMark size={26} /> Millrace
        </span>
        <nav aria-label="Account">
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
            <h1 tabIndex={-1}>Mobile ad mediation that shows its work</h1>
            <p>
              Publishers put one SDK into their apps. Every ad request is sold in an auction among demand partners, and
              one dashboard shows what was earned and why.
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
        <section className={classes.highlights} aria-label="What it does today">
          {HIGHLIGHTS.map(({ title, text }) => (
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
