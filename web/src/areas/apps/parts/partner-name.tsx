import type { DspFormat } from "@millrace/contract";
import { Initials } from "../../../ui/initials.tsx";
import classes from "./partner-name.module.css";

/** The names of the formats that partners buy. */
export const FORMAT_WORDS = { video: "Video", banner: "Banner" } as const satisfies Record<DspFormat, string>;

/** What the demo's test bidders are. */
export const TEST_BIDDERS = "The demo's bidders that misbehave on purpose. They are switched off.";

/** A demand partner in a table. */
export const PartnerName = ({ name }: { name: string }) => (
  <span className={classes.partner}>
    <Initials name={name} size={22} />
    <span>{name}</span>
  </span>
);
