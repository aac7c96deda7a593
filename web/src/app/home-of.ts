import { type PageName, type Session, mayOpen } from "@millrace/contract";
import { currentRoleOf } from "../areas/accounts/index.ts";
import { PATHS } from "../shared/paths.ts";

const HOMES = ["apps", "campaigns", "adminApps", "profile"] as const satisfies readonly PageName[];

/** Where somebody who is signed in comes home to: the side they last worked on, or else the first page they may open. */
export function homeOf(session: Session) {
  const side: (typeof HOMES)[number] = currentRoleOf(session) === "campaign" ? "campaigns" : "apps";
  return PATHS[[side, ...HOMES].find((page) => mayOpen(page, session)) ?? "profile"];
}
