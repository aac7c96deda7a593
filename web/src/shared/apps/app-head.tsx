import { type AppIdentity, PLATFORM_LABELS } from "@millrace/contract";
import type { ReactNode } from "react";
import { SdkPill } from "./sdk-pill.tsx";
import { Initials } from "../../ui/initials.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import { SkeletonBar } from "../../ui/states/skeletons.tsx";
import classes from "./app-head.module.css";

interface AppHeadProps {
  app: AppIdentity | undefined;
  /** The part of the app that the page shows: `Settings`. */
  what: string;
  /** Controls at the end of the heading. */
  children?: ReactNode;
}

/** The page's heading with the app it is about. */
export function AppHead({ app, what, children }: AppHeadProps) {
  return (
    <PageTitle text={app ? `${what} · ${app.name}` : what}>
      <div className={classes.head} data-app-head="">
        {app ? <Initials name={app.name} image={app.logo_url} /> : <SkeletonBar width="28px" height="28px" />}
        <h1 tabIndex={-1}>
          {app ? app.name : <SkeletonBar width="150px" height="17px" />}
          <span className="visually-hidden">: {what}</span>
        </h1>
        {app ? (
          <span className={classes.headFacts}>
            <span>
              {PLATFORM_LABELS[app.platform]}
              {app.bundle_id === "" ? "" : ` · ${app.bundle_id}`}
            </span>
            <SdkPill app={app} />
            {children}
          </span>
        ) : null}
      </div>
    </PageTitle>
  );
}
