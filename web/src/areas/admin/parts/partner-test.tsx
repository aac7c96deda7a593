import {
  type AdminPartner,
  type PartnerTest,
  type WorldRegion,
  WORLD_REGION_LABELS,
  WORLD_REGIONS,
  TEXTS,
} from "@millrace/contract";
import { formatCpm } from "@millrace/units";
import { useState } from "react";
import { z } from "zod";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { jsonText } from "../../../shared/json-text.ts";
import { KeyField } from "../../../shared/keys/key-field.tsx";
import { fieldsOf, keyFaults, keysOf, type Typed } from "../../../shared/keys/key-fields.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { useTestPartner } from "../partners-api.ts";
import classes from "./partner.module.css";
import parts from "./parts.module.css";

const TestInput = z.looseObject({ media_type: z.string().min(1, TEXTS.required), region: z.string().optional() });

const MAIN_ENDPOINT = { value: "", label: "Main endpoint" };
const endpointIn = (region: WorldRegion) => ({ value: region, label: `Endpoint: ${WORLD_REGION_LABELS[region]}` });
type MediaType = AdminPartner["settings"]["media_types"][number];

/** Sends a partner a test request with the settings that are saved, and shows what went over the wire. */
export function PartnerTestBlock({ partner }: { partner: AdminPartner }) {
  const { id, adapter, settings } = partner;
  const test = useTestPartner();
  const regions = WORLD_REGIONS.filter((region) => settings.region_endpoints[region] !== undefined);
  const [result, setResult] = useState<PartnerTest | null>(null);
  // The settings can be saved anew while a choice stands; a field then shows its first option.
  const offered = (typed: z.infer<typeof TestInput>) => {
    const region = regions.find((each) => each === typed.region);
    const type = settings.media_types.find((each) => each === typed.media_type) ?? settings.media_types[0];
    return { media_type: type as MediaType, ...(region && { region }) };
  };
  const form = useContractForm({
    schema: TestInput,
    initial: { media_type: settings.media_types[0] ?? "" },
    check: (typed) => keyFaults(adapter.keys_schema, typed as Typed),
    send: async (typed) => {
      setResult(null);
      return test.mutateAsync({
        id,
        ...offered(typed),
        keys: keysOf(adapter.keys_schema, typed as Typed),
      });
    },
    onDone: setResult,
  });
  return (
    <div className={classes.test}>
      <Form {...form.props}>
        <div className={classes.settings}>
          <SelectField
            {...form.field("media_type")}
            label="Place for"
            options={settings.media_types.map((value) => ({ value, label: value }))}
          />
          {regions.length === 0 ? null : (
            <SelectField
              {...form.field("region")}
              label="Sent to"
              options={[MAIN_ENDPOINT, ...regions.map(endpointIn)]}
            />
          )}
          {fieldsOf(adapter.keys_schema).map(({ name, ...key }) => (
            <KeyField key={name} field={form.field(name)} {...key} />
          ))}
        </div>
        <Submit {...form.submit} quiet>
          Send a test request
        </Submit>
      </Form>
      <div aria-live="polite">{result === null ? null : <Result result={result} />}</div>
    </div>
  );
}

function Result({ result: { calls, refused } }: { result: PartnerTest }) {
  if (refused !== null) {
    return <p className={parts.failed}>Nothing was sent: {refused}.</p>;
  }
  return (
    <>
      {calls.map((call, nth) => (
        <section
          key={`${call.request.url} ${call.request.body}`}
          className={classes.call}
          aria-label={calls.length === 1 ? "Result" : `Call ${nth + 1}`}
        >
          <p className={hasFailed(call) ? parts.failed : classes.said}>{sentencesOf(call).join(" ")}</p>
          <div className={classes.sides}>
            <Message
              title="Request"
              facts={`${call.request.method}${call.request.gzip ? ", sent as gzip" : ""}`}
              lines={[call.request.url, ...headerLines(call.request.headers)]}
              body={call.request.body}
            />
            {call.response === null ? null : (
              <Message
                title="Response"
                facts={`HTTP ${call.response.status} after ${Math.round(call.response.latency_ms)} ms`}
                lines={headerLines(call.response.headers)}
                body={call.response.body}
              />
            )}
          </div>
        </section>
      ))}
    </>
  );
}

type Call = PartnerTest["calls"][number];

const hasFailed = ({ failure, fault, reading }: Call): boolean =>
  failure !== null ||
  fault !== null ||
  (reading?.malformed ?? []).length > 0 ||
  (reading?.bids ?? []).some(({ refused }) => refused !== null);

/** What came of a call, and of each bid. */
function sentencesOf({ failure, fault, reading }: Call): string[] {
  if (failure !== null) return [`${failure}.`];
  if (fault !== null) return [`The response cannot be read: ${fault}.`];
  const { bids, malformed, currency } = reading ?? NO_BIDS;
  if (bids.length + malformed.length === 0) return ["It answered without a bid."];
  return [
    ...bids.map((bid) => bidText(bid, currency)),
    ...malformed.map((text) => `A bid of it cannot be used: ${text}.`),
  ];
}

type Reading = NonNullable<Call["reading"]>;
const NO_BIDS: Reading = { currency: "USD", bids: [], malformed: [] };

function bidText({ price, media_type, advertiser, refused }: Reading["bids"][number], currency: string): string {
  const cpm = price !== null && currency === "USD" ? formatCpm(price * 1e6) : `${price} ${currency}`;
  const by = advertiser.length === 0 ? "" : ` for ${advertiser.join(", ")}`;
  const bid = `It bids ${price === null ? "no price" : `${cpm} per thousand`} with a ${media_type}${by}`;
  return refused === null ? `${bid}.` : `${bid}, and an auction would refuse that: ${refused}.`;
}

const headerLines = (headers: Record<string, string>) =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

interface MessageProps {
  title: string;
  facts: string;
  lines: readonly string[];
  body: string;
}

function Message({ title, facts, lines, body }: MessageProps) {
  return (
    <div className={classes.side}>
      <p className={classes.head}>
        <b>{title}</b> {facts}
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must scroll by keyboard too */}
      <pre tabIndex={0} role="region" aria-label={`${title}, as it was sent`}>
        {[...lines, "", shown(body)].join("\n")}
      </pre>
    </div>
  );
}

/** JSON with line breaks; any other body as it is. */
function shown(body: string): string {
  if (body === "") return "(no body)";
  try {
    return jsonText(JSON.parse(body));
  } catch {
    return body;
  }
}
