import { Link, useRouter } from "@tanstack/react-router";
import { PATHS } from "../../../shared/paths.ts";
import { useWindowTitle } from "../../../ui/use-window-title.ts";
import { BrandMark } from "../../../ui/brand-mark.tsx";
import classes from "./site.module.css";

/** An address without a page, and the way back. */
export function NotFoundPage() {
  const router = useRouter();
  useWindowTitle("404");
  return (
    <main className={classes.page}>
      <BrandMark size={32} />
      <h1 tabIndex={-1}>404: there is no page here</h1>
      <p>The address may be mistyped, or the page has moved.</p>
      <Link
        to={PATHS.landing}
        className={classes.button}
        onClick={(event) => {
          if (!router.history.canGoBack()) return;
          event.preventDefault();
          router.history.back();
        }}
      >
        Go back
      </Link>
    </main>
  );
}
