import { type Holder, type RightName, type Role, mayUse } from "@millrace/contract";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import classes from "./parts.module.css";

/** What the rights of the one table are in words; those that everybody has say nothing here. */
const DEEDS = [
  { right: "readApps", words: "See apps and their statistics" },
  { right: "readCampaigns", words: "See campaigns and their statistics" },
  { right: "managers", words: "Add and remove managers" },
  { right: "subUsers", words: "Add and remove sub-users" },
  { right: "accessToken", words: "Make the access token" },
  { right: "personalData", words: "Export personal data, delete the account" },
] as const satisfies readonly { right: RightName; words: string }[];
type Deed = (typeof DEEDS)[number];

export interface RightsColumn {
  role: Role;
  label: string;
  /** Whether the person may do what the role as such may: only a super manager adds managers. */
  may?: (right: RightName) => boolean;
}

interface RightsProps {
  caption: string;
  who: readonly RightsColumn[];
  sides: Holder["roles"];
}

/** What each role may do in this account, as the server has it: both read the same table. */
export function Rights({ caption, who, sides }: RightsProps) {
  // A side that the account does not have is nobody's.
  const rows = DEEDS.filter(({ right }) => mayUse(right, { role: "owner", roles: sides, is_switched: false }));
  return <DataTable caption={caption} columns={rightsColumns(who, sides)} rows={rows} rowId={({ right }) => right} />;
}

const rightsColumns = (who: readonly RightsColumn[], sides: Holder["roles"]): Column<Deed>[] => [
  { id: "deed", head: "Rights for access", cell: ({ words }) => words },
  ...who.map(({ role, label, may }) => ({
    id: label,
    head: label,
    cell: ({ right }: Deed) => (
      <Answer yes={mayUse(right, { role, roles: sides, is_switched: false }) && (may?.(right) ?? true)} />
    ),
  })),
];

const Answer = ({ yes }: { yes: boolean }) =>
  yes ? <b className={classes.on}>Yes</b> : <span className={classes.faint}>No</span>;
