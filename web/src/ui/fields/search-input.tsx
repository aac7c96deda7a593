import type { ComponentProps } from "react";
import { SearchIcon } from "../icons.tsx";
import classes from "./fields.module.css";

/** A search field. Its label is also its placeholder. */
export function SearchInput({ label, ...input }: { label: string } & Omit<ComponentProps<"input">, "type">) {
  return (
    <span className={classes.searchBox}>
      <SearchIcon />
      <input type="search" aria-label={label} placeholder={label} maxLength={100} {...input} />
    </span>
  );
}
