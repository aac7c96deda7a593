import { dayOf } from "@millrace/units";
import { useParams } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { AppHead } from "../../../shared/apps/app-head.tsx";
import { NoApp, isMissing } from "../../../shared/apps/no-app.tsx";
import { FirstStepsLater } from "../../../shared/first-steps/first-steps-later.tsx";
import { useAddress } from "../../../shared/filters/use-address.ts";
import { Switch } from "../../../ui/form/switch.tsx";
import { LiveMark } from "../../../ui/states/live-mark.tsx";
import { useApp, useNewRequests, useRequests } from "../api.ts";
import { FindAuction } from "../parts/find-auction.tsx";
import { RequestFilters } from "../parts/request-filters.tsx";
import { RequestList } from "../parts/request-list.tsx";
import { type RequestsAddress, readRequestsAddress } from "../requests-address.ts";
import classes from "./requests-page.module.css";

/** An app's recorded ad requests, each leading to its auction. */
export function RequestsPage() {
  const { uuid = "" } = useParams({ strict: false });
  const [address, change] = useAddress(readRequestsAddress);
  const app = useApp(uuid);
  if (isMissing(app.error)) return <NoApp />;
  return (
    <>
      <AppHead app={app.data ?? undefined} what="Requests" />
      {app.data ? <FirstStepsLater app={app.data} /> : null}
      <Requests key={uuid} uuid={uuid} address={address} onChange={change} />
    </>
  );
}

interface RequestsProps {
  uuid: string;
  address: RequestsAddress;
  onChange: (change: Partial<RequestsAddress>) => void;
}

function Requests({ uuid, address, onChange }: RequestsProps) {
  const [isLive, setLive] = useState(true);
  const [epoch, setEpoch] = useState(0);
  const list = useRequests(uuid, address, epoch);
  const shown = list.data?.pages.flatMap(({ requests }) => requests) ?? [];
  const hasToday = address.de === dayOf(Date.now());
  const fresh = useNewRequests(uuid, address, {
    shown,
    newest: list.data?.pages[0]?.newest ?? null,
    enabled: isLive && hasToday && list.data !== undefined && !list.isPlaceholderData,
  });
  // Where no row can move under the pointer, new ones need no click.
  const isFirst = fresh.count > 0 && shown.length === 0;
  const { refetch } = list;
  useEffect(() => {
    if (isFirst) void refetch();
  }, [isFirst, refetch]);
  return (
    <>
      <RequestFilters uuid={uuid} address={address} onChange={onChange} />
      <div className={classes.tools}>
        <FindAuction />
        {hasToday ? (
          <div className={classes.live}>
            {isLive ? <LiveMark updatedAtMs={fresh.updatedAtMs} failing={fresh.failing} /> : null}
            <Switch label="Look for new requests" words={isLive ? "Live" : "Paused"} on={isLive} onChange={setLive} />
          </div>
        ) : null}
      </div>
      <RequestList
        uuid={uuid}
        address={address}
        list={list}
        fresh={fresh}
        onShowNew={() => setEpoch(epoch + 1)}
        onChange={onChange}
      />
    </>
  );
}
