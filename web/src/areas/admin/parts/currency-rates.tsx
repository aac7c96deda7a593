import { type CurrencyRate, type CurrencyRates, loadingText, noteCurrencyRate, TEXTS } from "@millrace/contract";
import { dayOf, formatDay } from "@millrace/units";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { Modal } from "../../../ui/modal/modal.tsx";
import { useDialog } from "../../../ui/modal/use-dialog.ts";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { ratesQuery, useNoteRate } from "../partners-api.ts";
import classes from "./parts.module.css";

/** The exchange rates that bids and floors in other currencies are converted by. */
export function CurrencyRatesBlock() {
  const rates = useQuery(ratesQuery);
  const { subject, opened, open, close } = useDialog<object>();
  return (
    <>
      <LoadedBlock
        title="Exchange rates"
        aside={
          <Button size="xs" variant="default" onClick={() => open({})}>
            Note a rate
          </Button>
        }
        query={rates}
        loading={loadingText("exchange rates")}
        skeleton={<TableSkeleton rows={3} columns={4} />}
        isEmpty={(data) => data.rates.length === 0}
        empty={
          <EmptyNote
            title="There is no exchange rate"
            why="Partners are asked in US dollars only. For another currency, note its rate, or name a daily file in the setting CURRENCY_RATES."
          />
        }
      >
        {(data) => (
          <>
            <DataTable
              caption="Newest rates"
              columns={COLUMNS}
              rows={data.rates}
              rowId={({ currency }) => currency}
              cards
            />
            <p className={classes.under}>{aboutRates(data)}</p>
          </>
        )}
      </LoadedBlock>
      <Modal opened={opened} onClose={close} title="Note an exchange rate" width={400}>
        {subject ? <RateForm onDone={close} /> : null}
      </Modal>
    </>
  );
}

const aboutRates = ({ days, has_feed: hasFeed }: CurrencyRates): string =>
  `A rate is used for ${days === 1 ? "its day" : `${days} days`}. ${hasFeed ? "New ones are read every hour." : "No file of rates is configured."}`;

const COLUMNS: Column<CurrencyRate>[] = [
  { id: "currency", head: "Currency", cell: ({ currency }) => currency },
  { id: "usd", head: "US dollars for one", numeric: true, leads: true, cell: ({ usd }) => String(usd) },
  { id: "day", head: "Of", whole: true, cell: ({ day }) => formatDay(day), exact: ({ day }) => day },
  {
    id: "source",
    head: "From",
    cell: ({ source, is_current: isCurrent }) => (
      <>
        {source === "hand" ? "an admin" : "the daily file"}{" "}
        {isCurrent ? null : (
          <span className={classes.mark} data-kind="danger">
            Too old
          </span>
        )}
      </>
    ),
  },
];

const Typed = z.object({
  currency: z.string().trim().toUpperCase().pipe(noteCurrencyRate.body.shape.currency),
  usd: z.string().trim().min(1, TEXTS.required),
  day: z.string().min(1, TEXTS.required),
});

function RateForm({ onDone }: { onDone: () => void }) {
  const note = useNoteRate();
  const { tell } = useNotify();
  const form = useContractForm({
    schema: Typed,
    initial: { currency: "", usd: "", day: dayOf(Date.now()) },
    check: ({ usd = "" }): Record<string, string> => {
      if (usd.trim() === "") return {};
      const issue = noteCurrencyRate.body.shape.usd.safeParse(Number(usd)).error?.issues[0];
      return issue ? { usd: issue.message } : {};
    },
    send: ({ currency, usd, day }) =>
      note.mutateAsync({ currency: currency.trim().toUpperCase(), usd: Number(usd), day }),
    onDone: (_, { currency }) => {
      tell(`The rate of ${currency.trim().toUpperCase()} is noted. The exchange uses it from the next seconds on`);
      onDone();
    },
  });
  return (
    <Form {...form.props}>
      <TextField
        {...form.field("currency")}
        label="Currency"
        description="A code like EUR"
        maxLength={3}
        data-autofocus
      />
      <TextField {...form.field("usd")} label="US dollars for one unit" inputMode="decimal" autoComplete="off" />
      <TextField {...form.field("day")} label="Day (UTC)" type="date" max={dayOf(Date.now())} />
      <Submit {...form.submit}>Note rate</Submit>
    </Form>
  );
}
