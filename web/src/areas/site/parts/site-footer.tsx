import { Link } from "@tanstack/react-router";
import { PATHS } from "../../../shared/paths.ts";
import classes from "../pages/site.module.css";

/** The year and the small print. */
export function SiteFooter() {
  return (
    <footer className={classes.footer}>
      <span>© {new Date().getUTCFullYear()} Millrace</span>
      <nav aria-label="Legal">
        <Link to={PATHS.terms}>Terms</Link>
        <Link to={PATHS.eula}>EULA</Link>
        <Link to={PATHS.privacy}>Privacy</Link>
        <Link to={PATHS.copyright}>Copyright</Link>
      </nav>
    </footer>
  );
}
