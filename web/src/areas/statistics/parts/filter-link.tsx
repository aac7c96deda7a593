import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import classes from "./parts.module.css";
import type { Search } from "../../../shared/filters/address.ts";

interface FilterLinkProps {
  /** The filter that the link sets: `{ country: ["US"] }`. The others stay. */
  filter: Readonly<Record<string, string | readonly string[]>>;
  children: ReactNode;
}

/** A name that narrows the page down to it. */
export function FilterLink({ filter, children }: FilterLinkProps) {
  return (
    <Link
      to="."
      search={(before: Search) => ({ ...before, ...filter })}
      resetScroll={false}
      className={classes.nameLink}
    >
      {children}
    </Link>
  );
}
