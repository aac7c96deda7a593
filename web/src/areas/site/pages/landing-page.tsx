import { Link, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { PATHS } from "../../../shared/paths.ts";
import { BrandMark } from "../../../ui/brand-mark.tsx";
import classes from "./site.module.css";

/** What it is, in a sentence, and the way in. */
export function LandingPage() {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const wanted = typeof search["redirect_to"] === "string" ? { redirect_to: search["redirect_to"] } : {};
  useEffect(() => {
    document.title = "Millrace";
  }, []);
  return (
    <main className={classes.page}>
      <BrandMark size={44} />
      <h1 tabIndex={-1}>Millrace</h1>
      <p>Mobile ad mediation that shows its reasons: one SDK, a 100 ms auction, one dashboard.</p>
      <Link to={PATHS.login} search={wanted} className={classes.button}>
        Log in
      </Link>
    </main>
  );
}
