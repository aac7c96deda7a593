import type { DspFormat } from "@millrace/contract";
import { Initials } from "../../../ui/initials.tsx";
import classes from "./partner-name.module.css";

/** The names of the formats that partners buy. */
export const FORMAT_WORDS = { video: "Video", banner: "Banner" } as const satisfies Record<DspFormat, string>;

/** A demand partner in a table. */
export const PartnerName = ({ name }: { name: string }) => (
  <span className={classes.partner}>
    <Initials name={name} size={22} />
    <span>{name}</span>
  </span>
);
