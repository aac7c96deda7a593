import {
  type ListedPartner,
  loadingText,
  notFoundText,
  PartnerId,
  PLATFORM_LABELS,
  PLATFORMS,
} from "@millrace/contract";
import { formatCount, formatCountExact, formatShare, percentOf } from "@millrace/units";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { z } from "zod";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { PATHS } from "../../../shared/paths.ts";
import { SearchBox } from "../../../ui/fields/search-box.tsx";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { Modal } from "../../../ui/modal/modal.tsx";
import { useDialog } from "../../../ui/modal/use-dialog.ts";
import { NameOverLine } from "../../../ui/name-over-line.tsx";
import { PageTitle } from "../../../ui/page-title.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { actionsColumn } from "../../../ui/table/row-actions.tsx";
import { breakersQuery, partnersQuery } from "../partners-api.ts";
import { AdminTabs } from "../parts/admin-tabs.tsx";
import { CurrencyRatesBlock } from "../parts/currency-rates.tsx";
import { KillSwitchesBlock } from "../parts/kill-switches.tsx";
import { msText } from "../parts/partner-day.tsx";
import classes from "../parts/parts.module.css";
import { useListQuery } from "../use-list-query.ts";

/** The platform's demand partners with their day, and all adapters that could be connected. */
export function AdminPartnersPage() {
  const { params, search } = useListQuery();
  const partners = useQuery(partnersQuery);
  const paused = new Set(useQuery(breakersQuery).data?.paused.map(({ id }) => id));
  const { subject: adding, opened, open, close } = useDialog<object>();
  const found = (connected: boolean) => (data: { partners: ListedPartner[] }) =>
    data.partners.filter((partner) => partner.connected === connected && matches(partner, params.search));
  const nothing = (why: string) => (
    <EmptyNote
      title={notFoundText("partners")}
      why={params.search === "" ? why : `Nothing matches “${params.search}”.`}
      action={
        params.search === "" ? undefined : (
          <Button variant="default" onClick={() => search("")}>
            Show all partners
          </Button>
        )
      }
    />
  );
  return (
    <>
      <PageTitle text="Partners" />
      <div className={classes.bar}>
        <AdminTabs />
        <div className={classes.search}>
          <SearchBox label="Search partner, format or vendor id" value={params.search} onSearch={search} />
        </div>
        <Button size="xs" onClick={() => open({})}>
          Connect another bidder
        </Button>
      </div>
      <div className={classes.blocks}>
        <LoadedBlock
          title="Connected"
          aside="Today so far (UTC), in all apps"
          query={partners}
          loading={loadingText("partners")}
          skeleton={<TableSkeleton rows={6} columns={8} />}
          isEmpty={(data) => found(true)(data).length === 0}
          empty={nothing(
            "Choose one in the catalogue below. It is asked in auctions once publishers have entered keys.",
          )}
        >
          {(data) => (
            <div className={classes.list}>
              <DataTable
                caption="Connected partners"
                columns={connectedColumns(paused)}
                rows={found(true)(data).toSorted((one, other) => Number(other.active) - Number(one.active))}
                rowId={({ id }) => id}
                fold={params.search === "" ? foldOf(found(true)(data)) : undefined}
                cards
              />
            </div>
          )}
        </LoadedBlock>
        <KillSwitchesBlock partners={found(true)(partners.data ?? { partners: [] })} />
        <LoadedBlock
          title="Catalogue"
          aside={(data) => data && `${found(false)(data).length} that are not connected`}
          query={partners}
          loading={loadingText("the catalogue")}
          skeleton={<TableSkeleton rows={8} columns={4} />}
          isEmpty={(data) => found(false)(data).length === 0}
          empty={nothing("All of them are connected.")}
        >
          {(data) => (
            <div className={classes.list}>
              <DataTable
                caption="Partners that are not connected"
                columns={CATALOGUE_COLUMNS}
                rows={found(false)(data)}
                rowId={({ id }) => id}
                cards
              />
            </div>
          )}
        </LoadedBlock>
        <CurrencyRatesBlock />
      </div>
      <Modal opened={opened} onClose={close} title="Connect another bidder" width={440}>
        {adding ? <BidderForm taken={partners.data?.partners.map(({ id }) => id) ?? []} /> : null}
      </Modal>
    </>
  );
}

/** Those that are off are folded away. */
const foldOf = (partners: readonly ListedPartner[]) => ({
  rows: partners.filter(({ active }) => active).length,
  more: (hidden: number) => `${hidden} partners that are off`,
  fewer: "Hide partners that are off",
});

function matches({ id, kind, name, media_types: types, gvl_id: vendor }: ListedPartner, search: string): boolean {
  const words = [id, kind, name, ...types, String(vendor ?? "")].map((word) => word.toLowerCase());
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.includes(part)));
}

/** A bidder that the catalogue does not have, or one of its partners again with other settings. */
function BidderForm({ taken }: { taken: readonly string[] }) {
  const navigate = useNavigate();
  const form = useContractForm({
    schema: z.object({ id: PartnerId }),
    initial: { id: "" },
    check: ({ id = "" }): Record<string, string> => (taken.includes(id) ? { id: "There is one of this id" } : {}),
    send: ({ id }) => Promise.resolve(id),
    onDone: (id) => navigate({ to: PATHS.adminPartner, params: { id }, search: { kind: "openrtb" } }),
  });
  return (
    <Form {...form.props}>
      <TextField
        {...form.field("id")}
        label="Id on this platform"
        description="For a bidder that speaks OpenRTB 2.5 or 2.6. Statistics and Prebid requests use the id; it cannot be changed."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
      />
      <Submit {...form.submit}>Continue</Submit>
    </Form>
  );
}

const nameColumn = (paused: ReadonlySet<string>): Column<ListedPartner> => ({
  id: "partner",
  head: "Partner",
  cell: ({ id, kind, name, active, connected, demo }) => (
    <Link to={PATHS.adminPartner} params={{ id }} className={`${classes.plain} ${classes.marked}`}>
      <NameOverLine name={name} line={kind === id ? id : `${id}, ${kind}`} />
      {connected && !active ? <span className={classes.mark}>Off</span> : null}
      {demo ? <span className={classes.mark}>Demo</span> : null}
      {paused.has(id) ? (
        <span className={classes.mark} data-kind="danger">
          Paused
        </span>
      ) : null}
    </Link>
  ),
});

type Today = NonNullable<ListedPartner["today"]>;

const todayColumn = (
  id: string,
  head: string,
  text: (today: Today) => string,
  more: Partial<Column<ListedPartner>> & { exactly?: (today: Today) => string } = {},
): Column<ListedPartner> => {
  const { exactly = text, ...column } = more;
  return {
    id,
    head,
    numeric: true,
    cell: ({ today }) => (today ? text(today) : "–"),
    exact: ({ today }) => (today ? exactly(today) : "It was not asked today"),
    ...column,
  };
};

const requestShareText = (count: number, { asked }: Today) =>
  `${formatCountExact(count)} of ${formatCountExact(asked)} requests`;

const DAY_COLUMNS: Column<ListedPartner>[] = [
  todayColumn("asked", "Requests", ({ asked }) => formatCount(asked), {
    leads: true,
    exactly: ({ asked }) => formatCountExact(asked),
  }),
  todayColumn("bids", "Bid rate", (today) => formatShare(percentOf(today.bids, today.asked)), {
    leads: true,
    exactly: (today) => requestShareText(today.bids, today),
  }),
  todayColumn("wins", "Win rate", ({ wins, bids }) => formatShare(percentOf(wins, bids)), {
    exactly: ({ wins, bids }) => `${formatCountExact(wins)} of ${formatCountExact(bids)} bids`,
  }),
  todayColumn("p50", "p50", ({ p50_ms: ms }) => msText(ms)),
  todayColumn("p95", "p95", ({ p95_ms: ms }) => msText(ms)),
  todayColumn("timeouts", "Timeouts", (today) => formatShare(percentOf(today.timeouts, today.asked)), {
    exactly: (today) => requestShareText(today.timeouts, today),
  }),
  todayColumn("errors", "Errors", ({ errors }) => formatCount(errors), {
    exactly: (today) => requestShareText(today.errors, today),
  }),
];

const connectedColumns = (paused: ReadonlySet<string>) => [nameColumn(paused), ...DAY_COLUMNS];

const platformsText = (platforms: ListedPartner["platforms"]): string =>
  platforms.length === PLATFORMS.length
    ? "all platforms"
    : platforms.map((platform) => PLATFORM_LABELS[platform]).join(", ");

const CATALOGUE_COLUMNS: Column<ListedPartner>[] = [
  nameColumn(new Set()),
  { id: "buys", head: "Buys", leads: true, cell: ({ media_types: types }) => types.join(", ") },
  { id: "platforms", head: "On", cell: ({ platforms }) => platformsText(platforms) },
  { id: "vendor", head: "Vendor id (GVL)", numeric: true, cell: ({ gvl_id: vendor }) => vendor ?? "none" },
  actionsColumn(({ id, name }) => (
    <Button
      component={Link}
      to={PATHS.adminPartner}
      params={{ id } as never}
      variant="default"
      size="xs"
      aria-label={`Connect ${name}`}
    >
      Connect
    </Button>
  )),
];
