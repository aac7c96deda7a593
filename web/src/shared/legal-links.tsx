import { Link } from "@tanstack/react-router";
import { PATHS } from "./paths.ts";

/** Links to the legal pages, at the foot of every page. */
export const LegalLinks = () => (
  <nav aria-label="Legal">
    <Link to={PATHS.terms}>Terms</Link>
    <Link to={PATHS.eula}>EULA</Link>
    <Link to={PATHS.privacy}>Privacy</Link>
    <Link to={PATHS.copyright}>Copyright</Link>
  </nav>
);
