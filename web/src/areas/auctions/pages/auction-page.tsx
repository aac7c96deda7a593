import { loadingText } from "@millrace/contract";
import { Link, useParams } from "@tanstack/react-router";
import { AppHead } from "../../../shared/apps/app-head.tsx";
import { UnknownAuction } from "../../../shared/auctions/auction-drawer.tsx";
import { Gist } from "../../../shared/auctions/gist.tsx";
import { FeeSource, PriceLines } from "../../../shared/auctions/price-lines.tsx";
import { type Explained, type ExplainedImp, isUnknown, useAuction } from "../../../shared/auctions/use-auction.ts";
import { useAddress } from "../../../shared/filters/use-address.ts";
import { PATHS } from "../../../shared/paths.ts";
import { CopyText } from "../../../ui/copy-text.tsx";
import { PageTitle } from "../../../ui/page-title.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { RowsSkeleton, SkeletonBar } from "../../../ui/states/skeletons.tsx";
import { useApp } from "../api.ts";
import { type AuctionAddress, readAuctionAddress } from "../auction-address.ts";
import { AuctionFacts } from "../parts/auction-facts.tsx";
import { AuctionLeads } from "../parts/auction-leads.tsx";
import { OnTheWire } from "../parts/on-the-wire.tsx";
import { WhatFollowed } from "../parts/what-followed.tsx";
import { WhoTookPart } from "../parts/who-took-part.tsx";
import classes from "./auction-page.module.css";

/** Why a request ended as it did: the sentence, who took part, the price, what followed, and what was sent. */
export function AuctionPage() {
  const { id = "" } = useParams({ strict: false });
  const auction = useAuction(id);
  const app = useApp(auction.data?.app.uuid);
  if (isUnknown(auction.error)) {
    return (
      <>
        <PageTitle text="No auction" />
        <UnknownAuction />
      </>
    );
  }
  return (
    <>
      <AppHead app={app.data ?? undefined} what="Auction" tab="appRequests" />
      <Loaded
        query={auction}
        loading={loadingText("auction")}
        skeleton={
          <div className={classes.page}>
            <SkeletonBar height="84px" />
            <SkeletonBar height="72px" />
            <RowsSkeleton rows={10} height={38} />
          </div>
        }
      >
        {(explained) => <Auction key={id} auction={explained} />}
      </Loaded>
    </>
  );
}

function Auction({ auction }: { auction: Explained }) {
  const [address, change] = useAddress(readAuctionAddress);
  const imp = auction.imps.find((each) => each.imp === address.imp) ?? auction.imps[0];
  if (!imp) return <UnknownAuction />;
  return (
    <div className={classes.page}>
      <div className={classes.top}>
        <nav aria-label="Breadcrumb" className={classes.crumbs}>
          <Link to={PATHS.appRequests} params={{ uuid: auction.app.uuid }} search={{}}>
            Requests
          </Link>
          <span aria-hidden="true">/</span>
          <CopyText text={auction.auction} what="auction ID" />
        </nav>
        <AuctionLeads auction={auction} imp={imp} />
      </div>
      {auction.imps.length > 1 ? (
        <Segments
          label="Requests of this auction"
          options={auction.imps.map((each) => ({
            id: each.imp,
            label: each.zone_name === "" ? each.imp : each.zone_name,
          }))}
          chosen={imp.imp}
          onChoose={(chosen) => change({ imp: chosen })}
        />
      ) : null}
      <Gist imp={imp} />
      <AuctionFacts auction={auction} imp={imp} />
      <WhoTookPart auction={auction} imp={imp} address={address} onChange={change} />
      <Below auction={auction} imp={imp} address={address} onChange={change} />
    </div>
  );
}

interface BelowProps {
  auction: Explained;
  imp: ExplainedImp;
  address: AuctionAddress;
  onChange: (change: Partial<AuctionAddress>) => void;
}

function Below({ auction, imp, address, onChange }: BelowProps) {
  return (
    <div className={classes.below}>
      <div className={classes.side}>
        {imp.price ? (
          <Panel title="Price split" aside="first price">
            <PriceLines price={imp.price} />
            <FeeSource price={imp.price} />
          </Panel>
        ) : null}
        <WhatFollowed auction={auction} imp={imp} />
      </div>
      <OnTheWire auction={auction} imp={imp} address={address} onChange={onChange} />
    </div>
  );
}
