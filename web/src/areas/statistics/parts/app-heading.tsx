import { type AppIdentity, PLATFORM_LABELS } from "@millrace/contract";
import { SdkPill } from "../../../shared/apps/sdk-pill.tsx";
import { Initials } from "../../../ui/initials.tsx";
import { PageTitle } from "../../../ui/page-title.tsx";
import { Bone } from "../../../ui/states/skeletons.tsx";
import classes from "./parts.module.css";

/** Which app it is, in the page's head. */
export function AppHeading({ app }: { app: AppIdentity | undefined }) {
  return (
    <PageTitle text={app ? app.name : "Statistics"}>
      <div className={classes.heading}>
        {app ? <Initials name={app.name} image={app.logo_url} /> : <Bone width="28px" height="28px" />}
        <h1 tabIndex={-1}>
          {app ? app.name : <Bone width="150px" height="17px" />}
          {app ? null : <span className="visually-hidden">Statistics</span>}
        </h1>
        {app ? (
          <span className={classes.headingFacts}>
            <span className={classes.platform}>
              {PLATFORM_LABELS[app.platform]} · {app.bundle_id}
            </span>
            <SdkPill app={app} />
          </span>
        ) : null}
      </div>
    </PageTitle>
  );
}
