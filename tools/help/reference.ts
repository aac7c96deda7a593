import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Reason, REASONS } from "@millrace/auction";
import { NOT_COUNTED_TEXTS } from "@millrace/contract";
import { PRIVACY_RULES } from "../../server/src/areas/exchange/privacy/privacy-table.ts";
import { type Entry, entriesPage, tableOf } from "./entries.ts";
import { metricEntries } from "./explained-metrics.ts";
import {
  EXPLAINED_NOT_COUNTED,
  EXPLAINED_REASONS,
  EXPLAINED_RESULTS,
  EXPLAINED_SPENDING,
} from "./explained-reasons.ts";
import { MESSAGE_SECTIONS, STATUSES } from "./messages.ts";

/** The parts of pages that are generated from code, by the name with which a page includes them: `<!-- reasons -->`. */
export async function referenceParts(root: string): Promise<Record<string, string>> {
  const [readme, sdk, rewards, webhook, postbacks, reporting] = await Promise.all(
    [
      "README.md",
      "packages/sdk/README.md",
      "docs/rewards.md",
      "docs/revenue-webhook.md",
      "docs/postbacks.md",
      "docs/reporting-api.md",
    ].map((path) => readFile(join(root, path), "utf8")),
  );
  return {
    reasons: reasonsPart(),
    "not-counted": entriesPage(notCountedEntries()),
    spending: entriesPage(spendingEntries()),
    privacy: entriesPage(privacyEntries()),
    metrics: entriesPage(metricEntries()),
    messages: sectionsPart(MESSAGE_SECTIONS),
    statuses: tableOf(
      ["status", "meaning"],
      STATUSES.map(({ status, meaning }) => [String(status), meaning]),
    ),
    settings: settingsPart(readme ?? ""),
    "web-sdk": sdkPart(sdk ?? ""),
    rewards: withSiteLinks(rewards ?? ""),
    "revenue-webhook": withSiteLinks(webhook ?? ""),
    postbacks: withSiteLinks(postbacks ?? ""),
    "reporting-api": withSiteLinks(reporting ?? ""),
    "platform-metrics": entriesPage(await platformMetrics(root)),
  };
}

/** Replaces each `<!-- name -->` by the part of this name; a name that no part has stops the build. */
export function withParts(page: string, parts: Readonly<Record<string, string>>): string {
  return page.replaceAll(/^<!-- ([a-z-]+) -->$/gm, (_, name: string) => {
    if (!Object.hasOwn(parts, name)) throw new Error(`The help has no part named ${name}`);
    return parts[name] ?? "";
  });
}

const sectionsPart = (sections: readonly { title: string; entries: readonly Entry[] }[]): string =>
  sections.map(({ title, entries }) => `## ${title}\n\n${entriesPage(entries)}`).join("\n");

/** Every reason once, in the first group that has it. */
function reasonsPart(): string {
  const withoutTrace = Object.entries(EXPLAINED_RESULTS).map(([id, [title, text]]) => ({ id, title, text }));
  return sectionsPart([
    ...EXPLAINED_REASONS.map(({ title, reasons }) => ({
      title,
      entries: (Object.entries(reasons) as [Reason, string][]).map(([id, text]) => ({
        id,
        title: REASONS[id].replace("{deadlineMs}", "100"),
        text: `${text}\n\nIn calls and files: \`${id}\`.`,
      })),
    })),
    { title: "Results in auctions without a trace", entries: withoutTrace },
  ]);
}

const notCountedEntries = (): Entry[] =>
  Object.entries(EXPLAINED_NOT_COUNTED).map(([id, text]) => ({
    id,
    title: NOT_COUNTED_TEXTS[id as keyof typeof NOT_COUNTED_TEXTS],
    text,
  }));

const spendingEntries = (): Entry[] =>
  Object.entries(EXPLAINED_SPENDING).map(([id, [title, text]]) => ({ id, title, text }));

const privacyEntries = (): Entry[] =>
  Object.entries(PRIVACY_RULES).map(([id, { why }]) => {
    const sentence = why.replace("vendor {vendor}", "the partner's vendor id");
    return { id, title: `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`, text: PRIVACY_EFFECT };
  });

const PRIVACY_EFFECT = "The auction shows what was withheld from which partner.";

/** README's table of settings, each row with an anchor: `/help/self-hosting/settings#port`. */
function settingsPart(readme: string): string {
  const rows = [...readme.matchAll(/^\| *`([A-Z][A-Z0-9_]*)` *\| *(.*?) *\| *(.*?) *\|$/gm)];
  return rows
    .map(([, name = "", standard = "", meaning = ""]) => {
      const text = withSiteLinks(meaning);
      return `### \`${name}\` {#${name.toLowerCase().replaceAll("_", "-")}}\n\n${text.charAt(0).toUpperCase()}${text.slice(1)}.\n\nDefault: ${standard}`;
    })
    .join("\n\n");
}

/** The SDK's notes for those who use it: without their title, and without what is for those who build it. */
const sdkPart = (readme: string): string =>
  withSiteLinks(readme)
    .replace(/^# .*\n+/, "")
    .replace(/\n`(?:vectors\/|build\.ts)`[\s\S]*$/, "\n");

/** The help's pages that notes of the project link to. Other files of the project have no page: their links become plain text. */
const PAGE_OF = {
  "rewards.md": "/publishers/rewards",
  "revenue-webhook.md": "/publishers/revenue-webhook",
  "postbacks.md": "/advertisers/postbacks",
  "reporting-api.md": "/reporting-api",
};

const withSiteLinks = (text: string): string =>
  text.replaceAll(/\[([^\]]+)\]\((?!https?:|#)([^)]+)\)/g, (_, words: string, target: string) => {
    const page = Object.entries(PAGE_OF).find(([file]) => target.endsWith(file))?.[1];
    return page === undefined ? words : `[${words}](${page})`;
  });

/** The sources that declare metrics of our own. */
const SOURCES = [
  "server/src/areas/exchange/metrics.ts",
  "server/src/areas/statistics/journal-metrics.ts",
  "server/src/exchange-processes.ts",
  "server/src/platform/jobs/failures.ts",
];

/** A metric's name with the text that Prometheus shows for it. */
const DECLARED = /"(millrace_[a-z_]+)",\s*(?:help:\s*)?"([A-Z][^"]* [^"]*)"/g;

/** The metrics of our own at `/metrics`, read from the server's source. */
async function platformMetrics(root: string): Promise<Entry[]> {
  const sources = await Promise.all(SOURCES.map((path) => readFile(join(root, path), "utf8")));
  return sources.flatMap((source) =>
    [...source.matchAll(DECLARED)].map(([, name = "", help = ""]) => ({ id: name, title: name, text: `${help}.` })),
  );
}
