import { LegalLinks } from "../../../shared/legal-links.tsx";
import classes from "../pages/site.module.css";

/** The year and the legal links. */
export function SiteFooter() {
  return (
    <footer className={classes.footer}>
      <span>© {new Date().getUTCFullYear()} Millrace</span>
      <LegalLinks />
    </footer>
  );
}
