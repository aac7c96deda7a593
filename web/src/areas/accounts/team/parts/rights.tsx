import { type Holder, RIGHTS, type Right, type RightName, type Role, mayUse } from "@millrace/contract";
import { type Column, DataTable } from "../../../../ui/table/data-table.tsx";
import classes from "./team.module.css";

/** The rights in words; null for rights that everybody has or that nobody in an account has. */
const WORDS = {
  "session.read": null,
  "mfa.verify": null,
  "support.contact": null,
  "apps.read": "See apps and their statistics",
  "publisher.read": "See all apps together",
  "apps.add": "Add apps",
  "instructions.read": "Read the SDK instructions",
  "settings.manage": "See and change app settings",
  "apps.delete": "Delete apps",
  "keys.manage": "See and change demand partner keys",
  "appAds.read": "See app-ads.txt",
  "account.change": "Change the entries of app-ads.txt",
  "inhouse.read": "See cross promotions",
  "inhouse.manage": "Add, change, freeze and delete cross promotions",
  "campaigns.read": "See campaigns and their statistics",
  "campaigns.manage": "Add, change, freeze and delete campaigns",
  "balance.read": "See balances, billing details and invoices",
  "payouts.read": "See payments and what comes next",
  "payoutDetails.manage": "Say where the money goes",
  "billing.manage": "Change the billing details",
  "report.read": "See the finance report",
  "deductions.dispute": "Dispute deductions from the balance",
  "campaignBalance.read": "See the history of the campaign balance",
  "profile.manage": null,
  "credentials.manage": null,
  "sides.open": "Open apps or campaigns for the account",
  "accessToken.manage": "Create the access token",
  "subUsers.manage": "Add and remove sub-users",
  "managers.manage": "Add and remove managers",
  "personalData.manage": "Export personal data, delete the account",
  admin: null,
} as const satisfies Record<RightName, string | null>;

interface Deed {
  right: RightName;
  words: string;
}
const DEEDS = (Object.keys(WORDS) as RightName[]).flatMap((right): Deed[] => {
  const words = WORDS[right];
  return words === null ? [] : [{ right, words }];
});

export interface RightsColumn {
  role: Role;
  label: string;
  /** False if the role's right depends on the person: only a super manager adds managers. */
  may?: (right: RightName) => boolean;
}

interface RightsProps {
  caption: string;
  who: readonly RightsColumn[];
  sides: Holder["roles"];
}

const ANYBODY = { is_switched: false, has_all_apps: true };

/** The rights of each role in this account, from the same table the server uses. */
export function Rights({ caption, who, sides }: RightsProps) {
  // Nobody has rights on a side that the account does not have.
  const rows = DEEDS.filter(({ right }) => mayUse(right, { ...ANYBODY, role: "owner", roles: sides }));
  return (
    <>
      <DataTable caption={caption} columns={rightsColumns(who, sides)} rows={rows} rowId={({ right }) => right} />
      {sides.can_apps ? <p className={classes.note}>{chosenAppsText(rows)}</p> : null}
    </>
  );
}

/** What chosen apps take away, of the rights on the account's sides. */
function chosenAppsText(rows: readonly Deed[]): string {
  const lost = rows.filter(({ right }) => (RIGHTS[right] as Right).allApps === true);
  const words = lost.map(({ words: [first = "", ...rest] }) => first.toLowerCase() + rest.join(""));
  return `A person with chosen apps has these rights for them alone, and not the right to: ${words.join("; ")}.`;
}

const rightsColumns = (who: readonly RightsColumn[], sides: Holder["roles"]): Column<Deed>[] => [
  { id: "deed", head: "Rights for access", cell: ({ words }) => <span className={classes.deed}>{words}</span> },
  ...who.map(({ role, label, may }) => ({
    id: label,
    head: label,
    cell: ({ right }: Deed) => (
      <Answer yes={mayUse(right, { ...ANYBODY, role, roles: sides }) && (may?.(right) ?? true)} />
    ),
  })),
];

const Answer = ({ yes }: { yes: boolean }) =>
  yes ? <b className={classes.on}>Yes</b> : <span className={classes.faint}>No</span>;
