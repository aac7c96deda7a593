import type { Session } from "@millrace/contract";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useId, useRef } from "react";
import { PersonIcon } from "../../ui/icons.tsx";
import { AccountLinks, MoreLinks } from "./account-links.tsx";
import { AreaLinks } from "./area-links.tsx";
import { ScrollToTop } from "./scroll-to-top.tsx";
import classes from "./bottom-bar.module.css";

/** The sidebar's links on a small screen, with the less used ones in a menu. */
export function BottomBar({ session }: { session: Session | undefined }) {
  const account = useId();
  const menu = useRef<HTMLDivElement>(null);
  const router = useRouter();
  // Following a link closes the menu.
  useEffect(() => router.subscribe("onBeforeNavigate", () => menu.current?.hidePopover?.()), [router]);
  return (
    <nav className={classes.bottomBar} aria-label="Main">
      <AreaLinks session={session} few />
      <button type="button" popoverTarget={account}>
        <PersonIcon /> Account
      </button>
      <div className={classes.toTop}>
        <ScrollToTop />
      </div>
      <div ref={menu} id={account} popover="auto" className={classes.account}>
        <MoreLinks session={session} />
        <AccountLinks session={session} />
      </div>
    </nav>
  );
}
