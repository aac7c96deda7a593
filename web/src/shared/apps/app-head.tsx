import { type AppIdentity, PLATFORM_LABELS } from "@millrace/contract";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { PATHS } from "../paths.ts";
import { SdkPill } from "./sdk-pill.tsx";
import { Initials } from "../../ui/initials.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import { SkeletonBar } from "../../ui/states/skeletons.tsx";
import classes from "./app-head.module.css";
import { type AppTab, AppTabs } from "./app-tabs.tsx";

interface AppHeadProps {
  /** Undefined while it loads. */
  app: AppIdentity | undefined;
  /** The part of the app that the page shows: `Zones`. */
  what: string;
  /** The tab of a page that has no tab of its own. */
  tab?: AppTab;
  /** Controls at the end of the heading. */
  children?: ReactNode;
}

/** The top of an app's page: the way back to all apps, the app, and the tabs of its pages. */
export function AppHead({ app: loaded, what, tab, children }: AppHeadProps) {
  const { uuid: asked } = useParams({ strict: false });
  const uuid = loaded?.uuid ?? asked;
  const app = useKnownApp(uuid, loaded);
  return (
    <>
      <PageTitle text={app ? `${what} · ${app.name}` : what}>
        <div className={classes.head} data-app-head="">
          <nav className={classes.crumbs} aria-label="Breadcrumb">
            <Link to={PATHS.apps} search={{}} activeOptions={{ exact: true }}>
              Apps
            </Link>
            <span aria-hidden="true">/</span>
          </nav>
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
      {uuid === undefined ? null : <AppTabs uuid={uuid} app={app} tab={tab} />}
    </>
  );
}

/** The app, or its last known state while it loads, so that name and tabs stay when another tab opens. */
function useKnownApp(uuid: string | undefined, loaded: AppIdentity | undefined): AppIdentity | undefined {
  const client = useQueryClient();
  const key = ["known_app", uuid];
  useEffect(() => {
    if (loaded) client.setQueryData(["known_app", loaded.uuid], loaded);
  }, [client, loaded]);
  return loaded ?? client.getQueryData<AppIdentity>(key);
}
