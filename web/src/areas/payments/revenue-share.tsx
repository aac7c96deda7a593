import { type RevenueShares, loadingText } from "@millrace/contract";
import { useQuery } from "@tanstack/react-query";
import { ShareTable, shareText } from "../../shared/shares/share-table.tsx";
import { LoadedBlock } from "../../ui/states/loaded-block.tsx";
import { SkeletonBar } from "../../ui/states/skeletons.tsx";
import { sharesQuery } from "./api.ts";
import classes from "./payment-page.module.css";

/** What the publisher gets of the price of an ad, today and on other days. */
export function RevenueShare() {
  return (
    <LoadedBlock
      title="Your share of the price"
      query={useQuery(sharesQuery)}
      loading={loadingText("share")}
      skeleton={<SkeletonBar width="60%" height="40px" />}
    >
      {(shares) => (
        <>
          <p className={classes.share}>{sentenceOf(shares)}</p>
          {shares.shares.length === 0 ? null : <ShareTable shares={shares} />}
        </>
      )}
    </LoadedBlock>
  );
}

function sentenceOf({ share_ppm: share, shares }: RevenueShares): string {
  const today = `You earn ${shareText(share)} of the price at which an ad of yours is sold. ${shareText(1_000_000 - share)} is the platform’s fee.`;
  return shares.length === 0
    ? `${today} This is the default share, which all publishers without one of their own get.`
    : `${today} A share begins with its day. What was sold before keeps the share of its own day.`;
}
