import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { endpointAt, keysAt, NAMED_PARTNERS } from "@millrace/partners/testing";
import { type Child, startChild } from "./child.ts";
import { type BenchPartner, biddersAt } from "./partners.ts";

/** The benchmark's bidders over HTTP, the same over TLS, the named partners, each in its own wire format, or one hostile bidder beside honest ones. */
export type DemandKind = "plain" | "tls" | "named" | "hostile";

export interface Demand {
  /** Bidders over HTTP, which a floor asks too. */
  bidders: Child<{ ports: number[] }>;
  /** The same over TLS, if the platform asks those. */
  overTls: { ports: number[]; certificateFile: string } | null;
  /** How many partners are asked. */
  asked(): Promise<number>;
  /** How often the hostile bidder has been asked, if there is one. */
  hostileCalls(): Promise<number>;
}

interface StartedDemand extends Demand {
  partners: BenchPartner[];
  /** What the platform's process needs to reach them. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

/** What a kind adds to the bidders over HTTP, or asks in their place. */
type Added = Omit<StartedDemand, "bidders" | "stop"> & { process?: Child<unknown> };
const ADDED: Record<DemandKind, (of: { ports: readonly number[]; count: number; dir: string }) => Promise<Added>> = {
  plain: async ({ ports, count }) => ({ ...overHttp(ports), asked: async () => count }),
  tls: ({ count, dir }) => tlsBidders(count, dir),
  named: ({ count }) => namedBidders(count),
  hostile: ({ ports, count }) => withHostile(ports, count),
};

/** Starts bidders in processes of their own; files go into a folder. */
export async function startDemand(kind: DemandKind, count: number, dir: string): Promise<StartedDemand> {
  const honest = kind === "hostile" ? count - 1 : count;
  const bidders = await startChild<{ ports: number[] }>("./bidders.ts", [String(honest)]);
  const { process, ...added } = await ADDED[kind]({ ports: bidders.hello.ports, count, dir });
  return {
    bidders,
    ...added,
    async stop() {
      await process?.stop();
      await bidders.stop();
    },
  };
}

const noHostile = async () => 0;

const overHttp = (ports: readonly number[]) => ({
  overTls: null,
  partners: biddersAt("http://127.0.0.1", ports),
  env: {},
  hostileCalls: noHostile,
});

async function tlsBidders(count: number, dir: string) {
  const process = await startChild<{ ports: number[]; certificate: string }>("./bidders.ts", [String(count), "tls"]);
  const { ports, certificate } = process.hello;
  const certificateFile = join(dir, "bidders.pem");
  await writeFile(certificateFile, certificate);
  return {
    process,
    overTls: { ports, certificateFile },
    asked: async () => count,
    hostileCalls: noHostile,
    partners: biddersAt("https://localhost", ports),
    env: { NODE_EXTRA_CA_CERTS: certificateFile },
  };
}

async function withHostile(ports: readonly number[], count: number) {
  const process = await startChild<{ port: number }>("./hostile-bidder.ts", []);
  return {
    ...overHttp([...ports, process.hello.port]),
    process,
    asked: async () => count,
    hostileCalls: async () => (await process.ask<{ calls: number }>({})).calls,
  };
}

async function namedBidders(count: number) {
  const process = await startChild<{ port: number }>("./named-bidders.ts", []);
  const partners = NAMED_PARTNERS.slice(0, count).map((id) => ({
    id,
    kind: id,
    endpoint: endpointAt(id, `http://127.0.0.1:${process.hello.port}`),
    keys: () => keysAt(id).keys,
  }));
  const asked = async () => Object.keys((await process.ask<{ calls: object }>({})).calls).length;
  return { process, overTls: null, asked, hostileCalls: noHostile, partners, env: {} };
}
