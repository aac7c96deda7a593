import { Drawer } from "@mantine/core";
import "@mantine/core/styles/Overlay.css";
import "@mantine/core/styles/Paper.css";
import "@mantine/core/styles/CloseButton.css";
import "@mantine/core/styles/ModalBase.css";
import "@mantine/core/styles/Drawer.css";
import { type Earning, explainAuction, loadingText } from "@millrace/contract";
import { formatEarning } from "@millrace/units";
import { useQuery } from "@tanstack/react-query";
import { ApiError, callApi } from "../../../shared/call-api.ts";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { SkeletonBar, RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { AuctionStory } from "./auction-story.tsx";
import classes from "./auction.module.css";

/** Explains an earning by the auction behind it. Closed while `earning` is null. */
export function AuctionDrawer({ earning, onClose }: { earning: Earning | null; onClose: () => void }) {
  return (
    <Drawer.Root
      opened={earning !== null}
      onClose={onClose}
      position="right"
      size={520}
      // The library's scroll lock writes a style without our nonce.
      lockScroll={false}
      classNames={{ content: classes.drawer }}
    >
      <Drawer.Overlay />
      <Drawer.Content>
        <div className={classes.drawerHead}>
          <Drawer.Title className={classes.drawerTitle}>
            {earning ? `Why ${earning.provider_name} for ${formatEarning(earning.earn)}?` : ""}
          </Drawer.Title>
          <Drawer.CloseButton aria-label="Close" />
        </div>
        <Drawer.Body>{earning ? <Explanation earning={earning} /> : null}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

function Explanation({ earning }: { earning: Earning }) {
  const auction = useQuery({
    queryKey: ["auction", earning.auction_id],
    queryFn: ({ signal }) => callApi(explainAuction, { params: { id: earning.auction_id }, signal }),
    // The decision is final, but player events arrive while the ad plays.
    staleTime: 10_000,
  });
  if (auction.error instanceof ApiError && auction.error.status === 404) {
    return (
      <EmptyNote
        title="No record of this auction found"
        why="Records are kept for a limited time and, outside demo mode, for a sample of auctions. The generated history of a demo has no records; its live impressions do."
      />
    );
  }
  return (
    <Loaded
      query={auction}
      loading={loadingText("auction")}
      skeleton={
        <div className={classes.story}>
          <SkeletonBar height="64px" />
          <RowsSkeleton rows={10} height={42} />
        </div>
      }
    >
      {(explained) => <AuctionStory auction={explained} provider={earning.provider} />}
    </Loaded>
  );
}
