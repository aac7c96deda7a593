import { Button } from "@mantine/core";
import { FORMAT_LABELS, type LineItem, loadingText } from "@millrace/contract";
import { formatCountExact, formatCpm, formatMoneyExact } from "@millrace/units";
import { useMemo, useState } from "react";
import { HelpLink } from "../../../shared/help-link.tsx";
import { messageOf } from "../../../shared/call-api.ts";
import { Switch } from "../../../ui/form/switch.tsx";
import { ConfirmModal } from "../../../ui/modal/confirm-modal.tsx";
import { NameOverLine } from "../../../ui/name-over-line.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import panels from "../parts/panels.module.css";
import { ImportPrices } from "./import-prices.tsx";
import { KIND_LABELS, LineItemForm } from "./line-item-form.tsx";
import classes from "./line-items.module.css";
import { fieldsOf } from "./waterfall-rows.ts";
import { useDeleteLineItem, useLineItems, useSaveLineItem } from "./use-line-items.ts";

type Opened = { what: "add" } | { what: "import" } | { what: "edit" | "delete"; item: LineItem };

/** The app's line items, with their prices and what they are expected to have earned yesterday. */
export function LineItemsPanel({ uuid }: { uuid: string }) {
  const query = useLineItems(uuid);
  const [opened, setOpened] = useState<Opened | null>(null);
  const columns = useMemo(() => lineColumns(uuid, setOpened), [uuid]);
  const close = () => setOpened(null);
  const reload = async ({ uuid: edited }: LineItem) => {
    const { data, error } = await query.refetch();
    const item = data?.items.find((each) => each.uuid === edited);
    setOpened(item ? { what: "edit", item } : null);
    return { error };
  };
  const add = (
    <Button size="xs" onClick={() => setOpened({ what: "add" })}>
      Add line item
    </Button>
  );
  return (
    <Panel
      title="Line items"
      aside={
        query.data && query.data.items.length > 0 ? (
          <span className={classes.acts}>
            <Button size="xs" variant="default" onClick={() => setOpened({ what: "import" })}>
              Import prices
            </Button>
            {add}
          </span>
        ) : undefined
      }
    >
      <Loaded
        query={query}
        loading={loadingText("line items")}
        skeleton={<TableSkeleton rows={3} columns={6} rowHeight={46} />}
      >
        {({ items }) =>
          items.length === 0 ? (
            <EmptyNote
              title="No line items yet"
              why="A line item is a seller that takes no bid requests: a VAST tag, an HTML tag or an adapter of the app's SDK. It competes with bids at the price that you state."
              action={
                <>
                  {add} <HelpLink to="publishers/mediation#line-items">How line items work</HelpLink>
                </>
              }
            />
          ) : (
            <>
              <p className={panels.about}>
                A line item competes with bids at its price. Its seller pays you outside this platform: what it is
                expected to have earned is in no revenue and no balance.
              </p>
              <DataTable
                cards
                caption="Line items of the app"
                columns={columns}
                rows={items}
                rowId={(item) => item.uuid}
              />
            </>
          )
        }
      </Loaded>
      {opened?.what === "add" ? <LineItemForm uuid={uuid} item={null} onClose={close} /> : null}
      {opened?.what === "edit" ? (
        <LineItemForm
          key={opened.item.revision}
          uuid={uuid}
          item={opened.item}
          onClose={close}
          onReload={() => reload(opened.item)}
        />
      ) : null}
      {opened?.what === "import" ? <ImportPrices uuid={uuid} onClose={close} /> : null}
      {opened?.what === "delete" ? <DeleteLineItem uuid={uuid} item={opened.item} onClose={close} /> : null}
    </Panel>
  );
}

function lineColumns(uuid: string, onOpen: (opened: Opened) => void): Column<LineItem>[] {
  return [
    {
      id: "name",
      head: "Line item",
      cell: ({ name, source, format }) => (
        <NameOverLine name={name} line={`${KIND_LABELS[source.kind]}, ${FORMAT_LABELS[format].toLowerCase()}`} />
      ),
    },
    {
      id: "price",
      head: "Price",
      numeric: true,
      leads: true,
      cell: ({ prices }) => pricesText(prices),
    },
    {
      id: "zones",
      head: "Zones",
      cell: ({ zones }) => (zones.length === 0 ? "all" : zones.join(", ")),
    },
    {
      id: "impressions",
      head: "Impressions yesterday",
      numeric: true,
      cell: ({ yesterday }) => formatCountExact(yesterday.impressions),
    },
    {
      id: "expected",
      head: "Expected yesterday",
      numeric: true,
      cell: ({ yesterday }) => formatMoneyExact(yesterday.expected),
    },
    { id: "on", head: "Takes part", cell: (item) => <LineSwitch uuid={uuid} item={item} /> },
    {
      id: "actions",
      head: "Actions",
      numeric: true,
      cell: (item) => (
        <span className={classes.acts} data-row-actions="">
          <Act label="Edit" of={item.name} onClick={() => onOpen({ what: "edit", item })} />
          <Act label="Delete" of={item.name} onClick={() => onOpen({ what: "delete", item })} />
        </span>
      ),
    },
  ];
}

const Act = ({ label, of, onClick }: { label: string; of: string; onClick: () => void }) => (
  <Button variant="default" size="xs" aria-label={`${label} ${of}`} onClick={onClick}>
    {label}
  </Button>
);

/** `$2.5000`, `US $2.5000`, `$2.5000 and 3 countries`. */
function pricesText(prices: LineItem["prices"]): string {
  const everywhere = prices.find(({ country }) => country === null);
  const [first] = prices;
  const own = prices.length - (everywhere ? 1 : 0);
  const countries = `${own} ${own === 1 ? "country" : "countries"}`;
  if (everywhere) return own === 0 ? formatCpm(everywhere.price) : `${formatCpm(everywhere.price)} and ${countries}`;
  return own === 1 && first ? `${first.country} ${formatCpm(first.price)}` : countries;
}

/** Switches a line item on or off from the next auction on. */
function LineSwitch({ uuid, item }: { uuid: string; item: LineItem }) {
  const save = useSaveLineItem(uuid);
  return (
    <>
      {save.isError && save.variables.body.enabled !== item.enabled ? (
        <span className={classes.refused} role="alert">
          {messageOf(save.error)}
        </span>
      ) : null}
      <Switch
        label={`${item.name} takes part`}
        words={item.enabled ? "on" : "off"}
        on={item.enabled}
        pending={save.isPending}
        onChange={(enabled) => save.mutate({ item, body: { ...fieldsOf(item), enabled } })}
      />
    </>
  );
}

function DeleteLineItem({ uuid, item, onClose }: { uuid: string; item: LineItem; onClose: () => void }) {
  const remove = useDeleteLineItem(uuid);
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={`Delete line item ${item.name}?`}
      confirm="Delete line item"
      onConfirm={() => remove.mutateAsync(item.uuid)}
    >
      It is not tried any more. What it has shown stays in the statistics of the app, under “Line items”.
    </ConfirmModal>
  );
}
