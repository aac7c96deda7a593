import { APPLE_NUMBERS, type AppleReport, appleReport } from "@millrace/contract";
import { formatCount, formatCountExact } from "@millrace/units";
import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../../shared/call-api.ts";
import { Panel } from "../../../ui/panel.tsx";
import { BlockError } from "../../../ui/states/block-error.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { SLOW_MS } from "../api.ts";
import { isLive } from "./api.ts";
import type { CampaignScope } from "./campaign-address.ts";
import classes from "./campaign-table.module.css";

const TITLE = "SKAdNetwork and AdAttributionKit";

/** A campaign gets its number when it is created; a number that was taken then may be free now. */
const NO_NUMBER = `No number: this app's ${APPLE_NUMBERS.most}, or your ${APPLE_NUMBERS.ofAccount} of them, were taken`;

type Line = AppleReport["campaigns"][number];

const count = (
  id: "installs" | "redownloads" | "reengagements" | "later" | "lost" | "valued",
  head: string,
): Column<Line> => ({
  id,
  head,
  numeric: true,
  cell: (line) => formatCount(line[id]),
  exact: (line) => formatCountExact(line[id]),
});

const COLUMNS: Column<Line>[] = [
  {
    id: "name",
    head: "Campaign",
    cell: ({ name, number }) => (
      <>
        {name} <small>{number === null ? NO_NUMBER : `number ${number}`}</small>
      </>
    ),
  },
  count("installs", "Installs"),
  count("redownloads", "Redownloads"),
  count("reengagements", "Re-engagements"),
  count("later", "Later windows"),
  count("lost", "Won by another ad network"),
  count("valued", "With a value (unsigned)"),
];

/** What Apple attributes to campaigns for iOS. It knows no device and no click, so it is in no other figure of the page. */
export function AppleAttribution({ scope }: { scope: CampaignScope }) {
  const { ds, de, campaign } = scope;
  const query = { ...(ds !== undefined && { ds }), ...(de !== undefined && { de }), campaign };
  const report = useQuery({
    queryKey: ["apple attribution", query],
    queryFn: ({ signal }) => callApi(appleReport, { query, signal }),
    placeholderData: (before) => before,
    refetchInterval: ({ state }) => isLive(scope) && state.data !== undefined && SLOW_MS,
  });
  if (report.data === undefined && report.isError) {
    return (
      <Panel title={TITLE}>
        <BlockError error={report.error} retrying={report.isFetching} onRetry={() => void report.refetch()} />
      </Panel>
    );
  }
  const lines = report.data?.campaigns ?? [];
  // Accounts without campaigns for iOS have nothing to look at here.
  if (lines.length === 0) return null;
  return (
    <Panel title={TITLE}>
      <DataTable
        cards
        caption="What Apple attributes to campaigns"
        columns={COLUMNS}
        rows={lines}
        rowId={({ uuid }) => uuid}
      />
      <p className={classes.note}>
        Signed by Apple and counted once each, on the day on which a postback arrived. They come days after the install
        and are in no other figure of this page. Apple signs no conversion value.
      </p>
    </Panel>
  );
}
