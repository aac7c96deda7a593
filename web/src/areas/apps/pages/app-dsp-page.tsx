import { Button } from "@mantine/core";
import { DSP_FORMATS, type Keys, type RtbExt, loadingText, notFoundText } from "@millrace/contract";
import { useParams } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { ConfirmModal } from "../../../ui/modal/confirm-modal.tsx";
import { Fold } from "../../../ui/fold.tsx";
import { Modal } from "../../../ui/modal/modal.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import { type KeysPlace, useDeleteKeys, useDspKeys } from "../api.ts";
import { KeysForm } from "../dsp/keys-form.tsx";
import { type Entry, entryColumns } from "../dsp/entry-columns.tsx";
import { FORMAT_WORDS, TEST_BIDDERS } from "../parts/partner-name.tsx";
import { ConnectDemo } from "../../../shared/first-steps/connect-demo.tsx";
import { useKnownSession } from "../../../shared/session.ts";
import { SupportText } from "../../../shared/support-text.tsx";
import classes from "../dsp/dsp.module.css";
import { AppHead } from "../../../shared/apps/app-head.tsx";
import { NoApp, isMissing } from "../../../shared/apps/no-app.tsx";

/** The keys that an app has at demand-side partners. */
export function AppDspPage() {
  const { uuid = "" } = useParams({ strict: false });
  return <DspKeys key={uuid} uuid={uuid} />;
}

const NO_PARTNERS =
  "Partners buy your ads. The operator of this platform has not added one yet; if you wait for one, contact support.";

/** The open dialog. */
type Opened = { what: "add" } | { what: "edit" | "delete"; entry: Entry };

function DspKeys({ uuid }: { uuid: string }) {
  const query = useDspKeys(uuid);
  const remove = useDeleteKeys(uuid);
  const { tell } = useNotify();
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  const reload = async ({ dsp, format }: KeysPlace) => {
    const { data: now, error } = await query.refetch();
    const entry = now && entriesOf(now).find((each) => each.dsp === dsp && each.format === format);
    // Keys that somebody has removed meanwhile are in the list no more.
    setOpened(entry ? { what: "edit", entry } : null);
    return { error };
  };
  const columns = useMemo(
    () =>
      entryColumns({
        onEdit: (entry) => setOpened({ what: "edit", entry }),
        onDelete: (entry) => setOpened({ what: "delete", entry }),
      }),
    [],
  );
  const isDemo = useKnownSession()?.demo.running === true;
  if (isMissing(query.error)) return <NoApp />;
  const data = query.data;
  const addButton = <Button onClick={() => setOpened({ what: "add" })}>Add keys</Button>;
  const deleting = opened?.what === "delete" ? opened.entry : null;

  return (
    <>
      <AppHead app={data?.app} what="Partners' keys" />
      <LoadedBlock
        title="Partners' keys"
        aside={data && entriesOf(data).length > 0 ? addButton : undefined}
        query={query}
        loading={loadingText("keys")}
        skeleton={<TableSkeleton rows={6} columns={4} />}
        isEmpty={(reply) => entriesOf(reply).length === 0}
        empty={
          data && Object.keys(data.schemas).length === 0 ? (
            <EmptyNote title={notFoundText("partners")} why={<SupportText text={NO_PARTNERS} />} />
          ) : (
            <EmptyNote
              title={notFoundText("keys")}
              why="A partner identifies your app by its keys. With keys, the partner bids in the app's auctions."
              action={
                <div className={classes.steps}>
                  {addButton}
                  {isDemo ? <ConnectDemo uuid={uuid} isSecond /> : null}
                </div>
              }
            />
          )
        }
      >
        {(reply) => <KeysTables reply={reply} columns={columns} />}
      </LoadedBlock>
      {data && (opened?.what === "add" || opened?.what === "edit") ? (
        <Modal opened onClose={close} title={opened.what === "add" ? "Add keys" : "Edit keys"} width={480}>
          <KeysForm
            key={opened.what === "edit" ? opened.entry.revision : undefined}
            uuid={uuid}
            schemas={opened.what === "edit" ? data.schemas : withoutTests(data.schemas)}
            edited={opened.what === "edit" ? opened.entry : null}
            isTaken={({ dsp, format }: KeysPlace) => data.keys[dsp]?.[format] !== undefined}
            onCancel={close}
            {...(opened.what === "edit" && { onReload: () => reload(opened.entry) })}
            onDone={(name) => {
              tell(`The keys of ${name} are saved`);
              close();
            }}
          />
        </Modal>
      ) : null}
      {deleting ? (
        <ConfirmModal
          opened
          onClose={close}
          title="Delete keys?"
          confirm="Delete keys"
          onConfirm={() => remove.mutateAsync({ dsp: deleting.dsp, format: deleting.format })}
        >
          {deleting.name} will no longer bid on {FORMAT_WORDS[deleting.format].toLowerCase()} ads of this app. To let it
          bid again, you have to enter its keys again.
        </ConfirmModal>
      ) : null}
    </>
  );
}

const withoutTests = (schemas: RtbExt["schemas"]): RtbExt["schemas"] =>
  Object.fromEntries(Object.entries(schemas).filter(([, { is_test: isTest }]) => !isTest));

/** The keys of partners, and folded beneath them those of the demo's test bidders. */
function KeysTables({ reply, columns }: { reply: RtbExt; columns: Column<Entry>[] }) {
  const entries = entriesOf(reply);
  const [tests, others] = [entries.filter(({ isTest }) => isTest), entries.filter(({ isTest }) => !isTest)];
  const table = (caption: string, rows: Entry[]) => (
    <DataTable caption={caption} columns={columns} rows={rows} rowId={({ dsp, format }) => `${dsp} ${format}`} cards />
  );
  return (
    <div className={classes.list}>
      {tests.length === entries.length ? null : table("Keys of the app", others)}
      {tests.length === 0 ? null : (
        <Fold title="Test bidders" count={tests.length} about={TEST_BIDDERS}>
          {table("Keys of test bidders", tests)}
        </Fold>
      )}
    </div>
  );
}

/** A line for each partner and format that has keys, by the partner's name. */
function entriesOf({ keys, revisions, schemas }: RtbExt): Entry[] {
  const entries = Object.entries(keys).flatMap(([dsp, byFormat]) =>
    DSP_FORMATS.flatMap((format) => {
      const own: Keys | undefined = byFormat[format];
      const schema = schemas[dsp];
      return own === undefined
        ? []
        : [
            {
              dsp,
              format,
              keys: own,
              revision: revisions?.[dsp]?.[format],
              name: schema?.dsp_name ?? dsp,
              form: schema?.keys_schema,
              isTest: schema?.is_test === true,
            },
          ];
    }),
  );
  return entries.toSorted((a, b) => a.name.localeCompare(b.name));
}
