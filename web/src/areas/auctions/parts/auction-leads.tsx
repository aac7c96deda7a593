import { Link } from "@tanstack/react-router";
import type { Explained, ExplainedImp } from "../../../shared/auctions/use-auction.ts";
import { PATHS } from "../../../shared/paths.ts";
import { type RequestsFilter, RequestsLink } from "../../../shared/requests-link.tsx";
import { useMayUse } from "../../../shared/session.ts";
import classes from "./auction-leads.module.css";

/** The ways on: the requests like this one, and the floor that it was judged by. */
export function AuctionLeads({ auction, imp }: { auction: Explained; imp: ExplainedImp }) {
  const mayUse = useMayUse();
  const { uuid } = auction.app;
  const { country, at } = auction;
  const day = at.slice(0, 10);
  const alike: RequestsFilter = {
    ds: day,
    de: day,
    zone: imp.zone === "" ? [] : [imp.zone],
    format: [imp.format],
    country: [country],
    ...(imp.no_ad && { outcome: "no_ad", reason: [imp.no_ad.code] }),
  };
  return (
    <div className={classes.leads}>
      <RequestsLink uuid={uuid} filter={alike} className={classes.lead}>
        Filter requests like this
      </RequestsLink>
      {mayUse("settings.manage") ? (
        <Link
          to={PATHS.appMediation}
          params={{ uuid }}
          search={{ country, format: imp.format }}
          hash="floors"
          className={classes.lead}
        >
          Change this floor
        </Link>
      ) : null}
    </div>
  );
}
