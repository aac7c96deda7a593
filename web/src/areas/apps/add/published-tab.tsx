import { type LookupItem, TEXTS } from "@millrace/contract";
import { useEffect, useRef, useState } from "react";
import { z } from "zod";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { type Lookup, lookUpApp } from "../../../shared/look-up-app.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { sendAdd } from "../api.ts";
import classes from "./add.module.css";
import { FoundForm } from "./found-form.tsx";
import { ManualForm } from "./manual-form.tsx";

const Search = z.object({ url: z.string().trim().min(1, TEXTS.appUrlRequired).max(500) });

const ask = (query: { url: string } | { qid: string }, signal: AbortSignal) =>
  sendAdd({ type: "apps", ...query }, signal);

/** A published app, looked up in its store. */
export function PublishedTab({ onAdded }: { onAdded: () => void }) {
  const [searched, setSearched] = useState("");
  const [lookup, setLookup] = useState<Lookup<LookupItem> | null>(null);
  const back = () => setLookup(null);
  if (lookup === null) {
    return (
      <SearchForm
        url={searched}
        onFound={(found) => {
          setSearched(found.url);
          setLookup(found);
        }}
      />
    );
  }
  if (!lookup.reachable) return <ManualForm url={lookup.url} onBack={back} onAdded={onAdded} />;
  return <FoundForm lookup={lookup} onBack={back} onAdded={onAdded} />;
}

function SearchForm({ url, onFound }: { url: string; onFound: (lookup: Lookup<LookupItem>) => void }) {
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);
  const form = useContractForm({
    schema: Search,
    initial: { url },
    send: (query) => lookUpApp(ask, query.url.trim(), leaving.current?.signal ?? new AbortController().signal),
    onDone: (found) => {
      if (leaving.current?.signal.aborted === false) onFound(found);
    },
  });
  return (
    <Form {...form.props}>
      <TextField
        {...form.field("url")}
        label="Bundle ID or app url"
        description="An address or an id in Google Play, the App Store, the Amazon Appstore or the Roku Channel Store."
        placeholder="com.example.app"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={500}
        readOnly={form.pending}
        data-autofocus
      />
      <p className={classes.searching} role="status">
        {form.pending ? "Searching the store. This can take up to 30 seconds." : ""}
      </p>
      <Submit {...form.submit}>Search</Submit>
    </Form>
  );
}
