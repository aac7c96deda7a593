import { MOST_STATEMENT_BYTES, type StatementCheck, loadingText } from "@millrace/contract";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { messageOf } from "../../../shared/call-api.ts";
import { PATHS } from "../../../shared/paths.ts";
import { FileField } from "../../../ui/form/file-field.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { PageTitle } from "../../../ui/page-title.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import { statementsQuery, usePreviewStatement } from "../api.ts";
import { AdminTabs } from "../parts/admin-tabs.tsx";
import classes from "../parts/parts.module.css";
import { StatementConfirm } from "../parts/statement-confirm.tsx";
import { type Reading, MappingForm } from "../parts/mapping-form.tsx";

interface Selection {
  name: string;
  content: string;
  columns: string[];
}

/** Imports a partner's statement: which partner and file, how the file is read, what it would change, and then it is booked. */
export function AdminStatementImportPage() {
  const list = useQuery(statementsQuery({ search: "", p: 0 }));
  const preview = usePreviewStatement();
  const navigate = useNavigate();
  const { tell } = useNotify();
  const [partner, setPartner] = useState("");
  const [file, setFile] = useState<Selection>();
  const [error, setError] = useState<string>();
  const [checked, setChecked] = useState<{ reading: Reading; check: StatementCheck }>();
  const partners = list.data?.partners ?? [];
  const mapping = partners.find(({ id }) => id === partner)?.mapping ?? null;

  const take = async (next: File) => {
    setFile(undefined);
    setChecked(undefined);
    setError(undefined);
    if (next.size > MOST_STATEMENT_BYTES) {
      setError(`${next.name} is larger than 4 MiB. Please split it by days`);
      return;
    }
    try {
      const content = await next.text();
      const { columns } = await preview.mutateAsync({ partner, content, mapping: null });
      setFile({ name: next.name, content, columns });
    } catch (failure) {
      setError(`${next.name}: ${messageOf(failure)}`);
    }
  };
  return (
    <>
      <PageTitle text="Import a statement" />
      <div className={classes.bar}>
        <AdminTabs />
      </div>
      <div className={classes.blocks}>
        <LoadedBlock
          title="Statement"
          query={list}
          loading={loadingText("partners")}
          skeleton={<TableSkeleton rows={2} columns={2} />}
        >
          {() => (
            <div className={classes.two}>
              <SelectField
                name="partner"
                label="Partner"
                value={partner}
                error={undefined}
                placeholder="Choose the partner"
                options={partners.map(({ id, name }) => ({ value: id, label: name }))}
                onChange={(next) => {
                  setPartner(next);
                  setFile(undefined);
                  setChecked(undefined);
                  setError(undefined);
                }}
              />
              {partner === "" ? (
                <p className={classes.about}>Then choose the file that it has sent.</p>
              ) : (
                <FileField
                  label="Choose the statement, or drop it here"
                  hint="A CSV file in UTF-8 with a line of heads, up to 4 MiB"
                  accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
                  chosen={file?.name}
                  error={error}
                  onFile={(next) => void take(next)}
                />
              )}
            </div>
          )}
        </LoadedBlock>
        {file === undefined ? null : (
          <Panel
            title="How it is read"
            aside={mapping === null ? "The partner's first statement" : "As its last statement"}
          >
            <MappingForm
              // Another file or partner begins anew.
              key={`${partner} ${file.name} ${file.content.length}`}
              columns={file.columns}
              mapping={mapping}
              onChange={() => setChecked(undefined)}
              check={async (reading) => {
                const { check } = await preview.mutateAsync({ partner, content: file.content, ...reading });
                if (check) setChecked({ reading, check });
              }}
            />
          </Panel>
        )}
        {file === undefined || checked === undefined ? null : (
          <StatementConfirm
            check={checked.check}
            body={{ partner, content: file.content, file_name: file.name, ...checked.reading }}
            onDone={({ uuid, is_new: isNew, changed }) => {
              tell(
                isNew
                  ? `The statement is booked: ${changed} ${changed === 1 ? "day of an app has" : "days of apps have"} changed`
                  : "This statement was imported before, and nothing has changed",
              );
              void navigate({ to: PATHS.adminStatement, params: { uuid } });
            }}
          />
        )}
      </div>
    </>
  );
}
