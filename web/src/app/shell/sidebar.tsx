import type { Session } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import { PATHS } from "../../shared/paths.ts";
import { BrandMark } from "../../ui/brand-mark.tsx";
import { AccountLinks, MoreLinks } from "./account-links.tsx";
import { AreaLinks } from "./area-links.tsx";
import { ScrollToTop } from "./scroll-to-top.tsx";
import links from "./links.module.css";
import classes from "./shell.module.css";

export function Sidebar({ session }: { session: Session | undefined }) {
  return (
    <nav className={classes.sidebar} aria-label="Main">
      <Link to={PATHS.landing} className={classes.brand}>
        <BrandMark /> <span>Millrace</span>
      </Link>
      <AreaLinks session={session} className={links.link} />
      <MoreLinks session={session} />
      <div className={classes.sideFoot}>
        <ScrollToTop />
        <AccountLinks session={session} />
      </div>
    </nav>
  );
}
