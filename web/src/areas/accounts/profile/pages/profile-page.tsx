import { loadingText } from "@millrace/contract";
import type { ReactNode } from "react";
import { PageTitle } from "../../../../ui/page-title.tsx";
import { Panel } from "../../../../ui/panel.tsx";
import { BlockError } from "../../../../ui/states/block-error.tsx";
import { RowsSkeleton } from "../../../../ui/states/skeletons.tsx";
import { useProfile } from "../api.ts";
import { blocksShown } from "../blocks-shown.ts";
import { AccessToken } from "../parts/access-token.tsx";
import { Authenticator } from "../parts/authenticator.tsx";
import { OtherSide } from "../parts/other-side.tsx";
import { EndOfAccount, ExportData } from "../parts/personal-data.tsx";
import { Settings } from "../parts/settings.tsx";
import { SocialAccounts } from "../parts/social-accounts.tsx";
import { TeamLine } from "../parts/team-line.tsx";
import classes from "./profile-page.module.css";

/** The user's own page: personal settings, ways to sign in, and the way to the people with access to the account. */
export function ProfilePage() {
  return (
    <>
      <PageTitle text="Profile" />
      <Blocks />
    </>
  );
}

function Blocks() {
  const { data: profile, error, isFetching, refetch } = useProfile();
  if (!profile) {
    return (
      <Frame
        first={
          <Panel title="Settings" busy={error === null}>
            {error ? (
              <BlockError error={error} retrying={isFetching} onRetry={() => void refetch()} />
            ) : (
              <>
                <span className="visually-hidden">{loadingText("profile")}</span>
                <RowsSkeleton rows={9} height={49} />
              </>
            )}
          </Panel>
        }
      />
    );
  }
  const shown = blocksShown(profile);
  return (
    <>
      <Frame
        first={<Settings profile={profile} withPassword={shown.password} />}
        second={
          <>
            {shown.authenticator ? <Authenticator profile={profile} /> : null}
            {shown.socialAccounts ? <SocialAccounts accounts={profile.accounts} /> : null}
            {shown.otherSide ? <OtherSide roles={profile.roles} /> : null}
            {shown.subUsers || shown.managers ? <TeamLine profile={profile} /> : null}
            {shown.accessToken ? <AccessToken token={profile.access_token} /> : null}
          </>
        }
      />
      {shown.personalData ? (
        <div className={classes.halves}>
          <ExportData made={profile.export} />
          <EndOfAccount profile={profile} />
        </div>
      ) : null}
    </>
  );
}

function Frame({ first, second }: { first: ReactNode; second?: ReactNode }) {
  return (
    <div className={classes.wide}>
      {first}
      <div className={classes.stack}>{second}</div>
    </div>
  );
}
