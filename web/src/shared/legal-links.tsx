import { Link } from "@tanstack/react-router";
import { LEGAL_PAGES } from "./paths.ts";

/** Links to the legal pages, at the foot of every page. */
export const LegalLinks = () => (
  <nav aria-label="Legal">
    {LEGAL_PAGES.map(([path, name]) => (
      <Link key={path} to={path}>
        {name}
      </Link>
    ))}
  </nav>
);
