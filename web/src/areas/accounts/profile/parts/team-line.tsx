import type { Profile } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import { PATHS } from "../../../../shared/paths.ts";
import { Panel } from "../../../../ui/panel.tsx";
import { blocksShown } from "../blocks-shown.ts";
import classes from "./parts.module.css";

/** How many other people have access to the account, and the way to their page. */
export function TeamLine({ profile }: { profile: Profile }) {
  const shown = blocksShown(profile);
  const counts = [
    ...(shown.subUsers ? [countText(profile.sub_users.length, "sub-user")] : []),
    ...(shown.managers ? [countText(profile.managers.length, "manager")] : []),
  ];
  return (
    <Panel title="Team">
      <p className={classes.about}>{counts.join(" and ")} besides the owner of the account, invited ones included.</p>
      <Link to={PATHS.team}>Open team</Link>
    </Panel>
  );
}

const countText = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
