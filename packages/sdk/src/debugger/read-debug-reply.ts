import type { BodyInput, Reply, sdkDebug } from "@millrace/contract";
import { callServer } from "../core/call-server.ts";
import type { Transport } from "../core/index.ts";

export type DebugReply = Reply<typeof sdkDebug>;
export type DebuggedAuction = DebugReply["auctions"][number];

/** Asks the platform for what it knows. Throws SdkError without a usable answer. `endpoint` ends without a slash. */
export const askDebugReply = (
  transport: Transport,
  endpoint: string,
  message: BodyInput<typeof sdkDebug>,
): Promise<DebugReply> => callServer(transport, `${endpoint}/sdk/v1/debug`, message, readDebugReply);

/** More than the platform sends of anything. */
const MAX_ROWS = 500;
const MAX_TEXT = 500;

/**
 * Reads what the platform tells the debugger. Entries that lack a field are left out, longer texts cut. Null if the reply is not
 * from our server.
 */
export function readDebugReply(json: unknown): DebugReply | null {
  const reply = record(json);
  const app = read(reply["app"], { uuid: text, name: text, is_live: flag, is_switched_off: flag });
  const head = read(json, { token_expires_at: moment, latest_sdk_version: text, app_ads: text });
  if (!app || !head || !Array.isArray(reply["partners"])) return null;
  return {
    ...(head as Pick<DebugReply, "token_expires_at" | "latest_sdk_version" | "app_ads">),
    app: app as DebugReply["app"],
    zones: all(reply["zones"], { zone: text, name: text, format: text, refresh_seconds: count }),
    partners: all(reply["partners"], {
      provider: text,
      name: text,
      is_on: flag,
      has_banner_keys: flag,
      has_video_keys: flag,
      is_paused: flag,
    }),
    adapters: all(reply["adapters"], { adapter: text, line_item: text, format: text }),
    auctions: all<DebuggedAuction>(reply["auctions"], {
      auction: uuid,
      at: moment,
      zone: text,
      format: text,
      test: flag,
      sentence: text,
      detail: text,
      price: amount,
      answered_ms: amount,
      participants: (value) =>
        all(value, {
          provider: text,
          name: text,
          result: text,
          label: text,
          text,
          price: amount,
          latency_ms: amount,
        }),
    }),
  };
}

/** Reads one field; undefined if it is not of its kind. */
type Field = (value: unknown) => unknown;

const text: Field = (value) => (typeof value === "string" ? value.slice(0, MAX_TEXT) : undefined);
const flag: Field = (value) => (typeof value === "boolean" ? value : undefined);
const count: Field = (value) => (typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined);
const amount: Field = (value) => (value === null ? null : count(value));
const moment: Field = (value) => (typeof value === "string" && !Number.isNaN(Date.parse(value)) ? value : undefined);
const uuid: Field = (value) => (typeof value === "string" && /^[\da-f-]{36}$/i.test(value) ? value : undefined);

const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

function read(value: unknown, fields: Record<string, Field>): Record<string, unknown> | null {
  const from = record(value);
  const entries = Object.entries(fields).map(([name, field]) => [name, field(from[name])] as const);
  return entries.some(([, found]) => found === undefined) ? null : Object.fromEntries(entries);
}

const all = <T>(value: unknown, fields: Record<string, Field>): T[] =>
  (Array.isArray(value) ? value : []).slice(0, MAX_ROWS).flatMap((each) => (read(each, fields) as T | null) ?? []);
