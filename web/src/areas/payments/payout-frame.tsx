import { loadingText } from "@millrace/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Loaded } from "../../ui/states/loaded-block.tsx";
import { SkeletonBar } from "../../ui/states/skeletons.tsx";
import { nextPaymentQuery, payoutFrameQuery } from "./api.ts";
import { type FrameSize, readPayoutMessage } from "./payout-message.ts";
import classes from "./payment-page.module.css";

/** The payout provider's frame, as large as it says it is. */
export function PayoutFrame() {
  return (
    <Loaded
      query={useQuery(payoutFrameQuery)}
      loading={loadingText("payout details")}
      skeleton={<SkeletonBar width="100%" height="300px" />}
    >
      {({ url, origin }) => <Frame url={url} origin={origin} />}
    </Loaded>
  );
}

function Frame({ url, origin }: { url: string; origin: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [size, setSize] = useState<FrameSize>({});
  const queries = useQueryClient();
  useEffect(() => {
    const onMessage = (event: MessageEvent<unknown>) => {
      const from = frame.current?.contentWindow;
      if (event.origin !== origin || !from || event.source !== from) return;
      const message = readPayoutMessage(event.data);
      if (message?.size) setSize(message.size);
      if (message?.isSaved) void queries.invalidateQueries({ queryKey: nextPaymentQuery.queryKey });
    };
    window.addEventListener("message", onMessage);
    return () => window.removeEventListener("message", onMessage);
  }, [origin, queries]);
  return (
    <iframe
      ref={frame}
      title="Payout details"
      src={url}
      // The provider's own pages, which need their own origin, forms and windows; they cannot move this page.
      // oxlint-disable-next-line react/iframe-missing-sandbox -- the provider's page, known by its origin to who hears its messages
      sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox"
      className={classes.frame}
      style={size}
    />
  );
}
