import type { Format, RequestOutcome } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PATHS } from "./paths.ts";

/** The filters of an app's list of requests, as in its address. Absent and empty ones match everything. */
export interface RequestsFilter {
  /** UTC days, both included; the page shows today and yesterday without them. */
  ds?: string | undefined;
  de?: string | undefined;
  zone?: readonly string[] | string | undefined;
  format?: readonly Format[] | Format | undefined;
  country?: readonly string[] | string | undefined;
  outcome?: RequestOutcome | undefined;
  /** Codes of the reasons for no ad. */
  reason?: readonly string[] | string | undefined;
  /** Partners that were asked. */
  partner?: readonly string[] | string | undefined;
  winner?: readonly string[] | string | undefined;
}

interface RequestsLinkProps {
  uuid: string;
  filter: RequestsFilter;
  className?: string | undefined;
  children: ReactNode;
}

/** Leads to an app's requests with these filters. */
export function RequestsLink({ uuid, filter, className, children }: RequestsLinkProps) {
  return (
    <Link to={PATHS.appRequests} params={{ uuid }} search={{ ...filter }} {...(className && { className })}>
      {children}
    </Link>
  );
}
