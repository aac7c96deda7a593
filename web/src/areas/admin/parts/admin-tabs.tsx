import { Link } from "@tanstack/react-router";
import { PATHS } from "../../../shared/paths.ts";
import classes from "./parts.module.css";

const PAGES = [
  { to: PATHS.admin, label: "Overview" },
  { to: PATHS.adminApps, label: "Apps" },
  { to: PATHS.adminUsers, label: "Users" },
  { to: PATHS.adminPartners, label: "Partners" },
  { to: PATHS.adminModeration, label: "Moderation" },
  { to: PATHS.adminSupport, label: "Support" },
  { to: PATHS.adminNews, label: "News" },
  { to: PATHS.adminPayouts, label: "Payouts" },
  { to: PATHS.adminInvoices, label: "Invoices" },
  { to: PATHS.adminStatements, label: "Statements" },
  { to: PATHS.adminBooks, label: "Books" },
  { to: PATHS.adminDeductions, label: "Deductions" },
  { to: PATHS.adminAudit, label: "Audit log" },
] as const;

const HAS_PAGES_BELOW = new Set<string>([PATHS.adminModeration, PATHS.adminPartners, PATHS.adminStatements]);

/** Links to the admin pages, on each of them. */
export function AdminTabs() {
  return (
    <nav ref={showCurrent} className={classes.desk} aria-label="Administration">
      {PAGES.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          search={{}}
          // Moderation, partners and statements have pages below theirs. All others are pages of their own, also below /admin.
          activeOptions={{ includeSearch: false, exact: !HAS_PAGES_BELOW.has(to) }}
          activeProps={{ "aria-current": "page" }}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** On a phone the links do not fit beside each other: the current page's is scrolled to. */
function showCurrent(links: HTMLElement | null): void {
  const current = links?.querySelector<HTMLElement>("[aria-current]");
  if (links && current)
    links.scrollLeft = current.offsetLeft - links.offsetLeft - (links.clientWidth - current.offsetWidth) / 2;
}
