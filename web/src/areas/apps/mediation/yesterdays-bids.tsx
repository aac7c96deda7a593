import { type AppBids, loadingText, notFoundText } from "@millrace/contract";
import { formatCountExact, formatDay } from "@millrace/units";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { type BlockQuery, Loaded } from "../../../ui/states/loaded-block.tsx";
import { SkeletonBar } from "../../../ui/states/skeletons.tsx";
import { BidHistogram } from "./bid-histogram.tsx";
import { countryText, formatText } from "./floor-list.tsx";
import type { FloorRule } from "./floor-rows.ts";
import classes from "./floors.module.css";

interface YesterdaysBidsProps {
  query: BlockQuery<AppBids>;
  rule: FloorRule;
  floor: number | null;
  onFloor: (micros: number) => void;
}

/** The bids of the last finished day on the requests that a floor decides. */
export function YesterdaysBids({ query, rule, floor, onFloor }: YesterdaysBidsProps) {
  const { data } = query;
  return (
    <div className={classes.bids}>
      <h3>
        Yesterday's highest bids{" "}
        <span>
          {countryText(rule.country)}, {formatText(rule.format).toLowerCase()}
          {data ? ` · ${formatCountExact(data.requests)} requests on ${formatDay(data.day)}` : null}
        </span>
      </h3>
      <Loaded
        query={query}
        loading={loadingText("bids")}
        skeleton={<SkeletonBar height="240px" />}
        minHeight={240}
        isEmpty={({ buckets }) => buckets.length === 0}
        empty={
          <EmptyNote
            title={notFoundText("bids")}
            why={
              data && data.requests > 0
                ? "No partner bid on the requests of yesterday that a floor here decides."
                : "There were no requests yesterday that a floor here decides."
            }
          />
        }
      >
        {(bids) => <BidHistogram bids={bids} floor={floor} onFloor={onFloor} />}
      </Loaded>
    </div>
  );
}
