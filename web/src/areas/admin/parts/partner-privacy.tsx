import {
  type AdminPartner,
  loadingText,
  PRIVACY_PARTS,
  type PrivacyPart,
  type SignalEffect,
  type VendorPrivacy,
} from "@millrace/contract";
import { useQuery } from "@tanstack/react-query";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { vendorPrivacyQuery } from "../partners-api.ts";
import table from "./partner.module.css";
import classes from "./parts.module.css";

const SHOWN_ROWS = 8;

const PART_HEADS = {
  deviceIds: "Device id",
  userIds: "User id",
  extendedIds: "Shared ids",
  address: "Full IP address",
  location: "Precise location",
  profile: "Profile",
} as const satisfies Record<PrivacyPart, string>;

/** What each privacy signal of a request withholds from a partner, by its vendor id. */
export function PartnerPrivacy({ partner: { settings, adapter } }: { partner: AdminPartner }) {
  const vendor = settings.gvl_id ?? adapter.gvl_id;
  const privacy = useQuery(vendorPrivacyQuery(vendor));
  return (
    <LoadedBlock
      title="Privacy"
      aside={vendor === null ? "Without a vendor id" : `Of vendor ${vendor}`}
      query={privacy}
      loading={loadingText("privacy rules")}
      skeleton={<TableSkeleton rows={SHOWN_ROWS} columns={8} />}
    >
      {(data) => (
        <>
          <p className={classes.about}>{aboutVendor(vendor, data.declared)}</p>
          <div className={table.signals}>
            <DataTable
              caption="Privacy signals and what they withhold"
              columns={COLUMNS}
              rows={data.signals}
              rowId={({ framework, signal }) => `${framework} ${signal}`}
              fold={{ rows: SHOWN_ROWS, more: (hidden) => `${hidden} more signals`, fewer: "Fewer signals" }}
              cards
            />
          </div>
          <p className={classes.under}>
            As the exchange applies them. Without the full address, its last part is missing; without the precise
            location, all but country and region.
          </p>
        </>
      )}
    </LoadedBlock>
  );
}

function aboutVendor(vendor: number | null, declared: VendorPrivacy["declared"]): string {
  if (vendor === null) return "Where the GDPR applies it is not asked, because no consent string can name it.";
  if (declared === null)
    return `Vendor ${vendor} is on none of the platform's lists (setting GVL_FILE), so consent is its only legal basis.`;
  const parts = [
    listed("consent for purposes", declared.consent),
    listed("legitimate interest in purposes", declared.legitimate_interest),
    listed("flexible for purposes", declared.flexible),
    listed("special features", declared.special_features),
  ].filter((part) => part !== null);
  return `${declared.name} declares: ${parts.length === 0 ? "nothing" : parts.join("; ")}.`;
}

const listed = (what: string, ids: readonly number[]): string | null =>
  ids.length === 0 ? null : `${what} ${ids.join(", ")}`;

const partColumn = (part: PrivacyPart): Column<SignalEffect> => ({
  id: part,
  head: PART_HEADS[part],
  cell: ({ asked, withheld }) => {
    if (!asked) return "–";
    return withheld.includes(part) ? "withheld" : <span className={table.sent}>sent</span>;
  },
});

const COLUMNS: Column<SignalEffect>[] = [
  {
    id: "signal",
    head: "Signal",
    cell: ({ framework, signal }) => (
      <span className={table.signal}>
        {signal}
        <small>{framework}</small>
      </span>
    ),
  },
  {
    id: "asked",
    head: "Asked",
    leads: true,
    cell: ({ asked }) =>
      asked ? (
        "yes"
      ) : (
        <span className={classes.mark} data-kind="danger">
          Not asked
        </span>
      ),
  },
  ...PRIVACY_PARTS.map(partColumn),
];
