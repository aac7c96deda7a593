import { Link, useSearch } from "@tanstack/react-router";
import { type ReactNode, createContext, useContext } from "react";
import { PATHS } from "../../../shared/paths.ts";
import { DOOR_PATHS, type Door } from "./door.ts";
import classes from "./doors.module.css";

/** Whether the doors stand in a page of their own or in a dialog of the landing page. */
export const DoorPlace = createContext<"page" | "dialog">("page");

/** Leads to another door: the dialog changes its content, the page is another page. Where the visitor wanted to go is kept. */
export function DoorLink({ door, children }: { door: Door; children: ReactNode }) {
  const place = useContext(DoorPlace);
  const search: Record<string, unknown> = useSearch({ strict: false });
  const wanted = { redirect_to: search["redirect_to"] };
  return place === "dialog" ? (
    <Link
      to={PATHS.landing}
      search={{ ...wanted, door } as never}
      replace
      resetScroll={false}
      preload={false}
      className={classes.link}
    >
      {children}
    </Link>
  ) : (
    <Link to={DOOR_PATHS[door]} search={wanted as never} className={classes.link}>
      {children}
    </Link>
  );
}

/** Where the visitor wanted to go before the doors, if anywhere. */
export function useWanted(): { redirect_to?: string } {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const wanted = search["redirect_to"];
  return typeof wanted === "string" ? { redirect_to: wanted } : {};
}
