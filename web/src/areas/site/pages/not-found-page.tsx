import { Link, useRouter } from "@tanstack/react-router";
import type { MouseEvent } from "react";
import { HelpLink } from "../../../shared/help-link.tsx";
import { PATHS } from "../../../shared/paths.ts";
import { BrandMark } from "../../../ui/brand-mark.tsx";
import { PageTitle } from "../../../ui/page-title.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { useWindowTitle } from "../../../ui/use-window-title.ts";
import classes from "./site.module.css";

const WHY = "The address may be mistyped, or the page has moved.";

/** The 404 page with a way back. */
export function NotFoundPage() {
  useWindowTitle("404");
  return (
    <main className={classes.page}>
      <BrandMark size={32} />
      <h1 tabIndex={-1}>404: page not found</h1>
      <p>{WHY}</p>
      <GoBack />
    </main>
  );
}

/** The same inside the shell. The role of a signed-in user may be the cause. */
export function NotFoundNote() {
  return (
    <>
      <PageTitle text="404" />
      <EmptyNote
        title="Page not found"
        why={`${WHY} Your role may also not have access to it.`}
        action={
          <>
            <GoBack /> <HelpLink to="">Help</HelpLink>
          </>
        }
      />
    </>
  );
}

function GoBack() {
  const router = useRouter();
  const back = (event: MouseEvent) => {
    if (!router.history.canGoBack()) return;
    event.preventDefault();
    router.history.back();
  };
  return (
    <Link to={PATHS.landing} className={classes.button} onClick={back}>
      Go back
    </Link>
  );
}
