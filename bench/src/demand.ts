import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { endpointAt, keysAt, NAMED_PARTNERS } from "@millrace/partners/testing";
import { type Child, startChild } from "./child.ts";
import { type BenchPartner, biddersAt } from "./partners.ts";

/** The benchmark's bidders over HTTP, the same over TLS, the named partners, each in its own wire format, or bidders of which the last is hostile. */
export type DemandKind = "plain" | "tls" | "named" | "hostile";

export interface Demand {
  /** Bidders over HTTP, which a floor asks too. */
  bidders: Child<{ ports: number[] }>;
  /** The same over TLS, if the platform asks those. */
  overTls: { ports: number[]; certificateFile: string } | null;
  /** How many partners have been asked; with a hostile one, how often that one was. */
  asked(): Promise<number>;
}

interface StartedDemand extends Demand {
  partners: BenchPartner[];
  /** What the platform's process needs to reach them. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

/** Starts bidders in processes of their own; files go into a folder. */
export async function startDemand(kind: DemandKind, count: number, dir: string): Promise<StartedDemand> {
  const honest = kind === "hostile" ? count - 1 : count;
  const bidders = await startChild<{ ports: number[] }>("./bidders.ts", [String(honest)]);
  if (kind === "plain") {
    const partners = biddersAt("http://127.0.0.1", bidders.hello.ports);
    return { bidders, overTls: null, asked: async () => count, partners, env: {}, stop: () => bidders.stop() };
  }
  const { process, ...others } = await (kind === "tls"
    ? tlsBidders(count, dir)
    : kind === "named"
      ? namedBidders(count)
      : withHostile(bidders.hello.ports));
  return {
    bidders,
    ...others,
    async stop() {
      await process.stop();
      await bidders.stop();
    },
  };
}

async function tlsBidders(count: number, dir: string) {
  const process = await startChild<{ ports: number[]; certificate: string }>("./bidders.ts", [String(count), "tls"]);
  const { ports, certificate } = process.hello;
  const certificateFile = join(dir, "bidders.pem");
  await writeFile(certificateFile, certificate);
  return {
    process,
    overTls: { ports, certificateFile },
    asked: async () => count,
    partners: biddersAt("https://localhost", ports),
    env: { NODE_EXTRA_CA_CERTS: certificateFile },
  };
}

async function withHostile(ports: readonly number[]) {
  const process = await startChild<{ port: number }>("./hostile-bidder.ts", []);
  const partners = biddersAt("http://127.0.0.1", [...ports, process.hello.port]);
  const asked = async () => (await process.ask<{ calls: number }>({})).calls;
  return { process, overTls: null, asked, partners, env: {} };
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
  return { process, overTls: null, asked, partners, env: {} };
}
