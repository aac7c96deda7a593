import { SUB_USER_LABELS, SUB_USER_ROLES, loadingText } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import { PATHS } from "../../../../shared/paths.ts";
import { PageTitle } from "../../../../ui/page-title.tsx";
import { Panel } from "../../../../ui/panel.tsx";
import { BlockError } from "../../../../ui/states/block-error.tsx";
import { EmptyNote } from "../../../../ui/states/empty-note.tsx";
import { RowsSkeleton } from "../../../../ui/states/skeletons.tsx";
import { useProfile } from "../../profile/api.ts";
import { blocksShown } from "../../profile/blocks-shown.ts";
import { Managers } from "../parts/managers.tsx";
import { Rights } from "../parts/rights.tsx";
import { SubUsers } from "../parts/sub-users.tsx";
import classes from "../parts/team.module.css";

/** The people with access to the account besides its owner, and what each of them may do. */
export function TeamPage() {
  return (
    <>
      <PageTitle text="Team" />
      <People />
    </>
  );
}

function People() {
  const { data: profile, error, isFetching, refetch } = useProfile();
  if (!profile) {
    return (
      <Panel title="People" busy={error === null}>
        {error ? (
          <BlockError error={error} retrying={isFetching} onRetry={() => void refetch()} />
        ) : (
          <>
            <span className="visually-hidden">{loadingText("team")}</span>
            <RowsSkeleton rows={6} height={49} />
          </>
        )}
      </Panel>
    );
  }
  const shown = blocksShown(profile);
  if (!shown.subUsers && !shown.managers) return <NotYours />;
  return (
    <div className={classes.stack}>
      {shown.subUsers ? <SubUsers profile={profile} /> : null}
      {shown.managers ? <Managers profile={profile} /> : null}
      <Panel title="Rights for access">
        <Rights caption="Rights for access of the team" who={columnsOf(shown)} sides={profile.roles} />
      </Panel>
    </div>
  );
}

/** A manager opens the page by its address, without the right to add managers. */
const NotYours = () => (
  <Panel title="People">
    <EmptyNote
      title="You do not manage the people of this account"
      why="Its owner adds and removes them, and so do managers with that right."
      action={<Link to={PATHS.profile}>Go to your profile</Link>}
    />
  </Panel>
);

const columnsOf = ({ subUsers, managers }: { subUsers: boolean; managers: boolean }) => [
  ...(subUsers ? SUB_USER_ROLES.map((role) => ({ role, label: SUB_USER_LABELS[role] })) : []),
  ...(managers
    ? [
        { role: "manager" as const, label: "Manager", may: (right: string) => right !== "managers.manage" },
        { role: "manager" as const, label: "Super manager" },
      ]
    : []),
];
