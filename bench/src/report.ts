import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { format } from "oxfmt";
import type { Measurement, Outcome } from "./measurement.ts";

const DATA = fileURLToPath(new URL("../results.json", import.meta.url));
const PAGE = fileURLToPath(new URL("../results.md", import.meta.url));

/** Outcomes by measurement, so that each can be repeated separately. */
type Outcomes = Partial<Record<string, Outcome>>;

/** Stores the outcome of a measurement and writes the page of all known outcomes. */
export async function writeReport(all: readonly Measurement[], measured: Measurement, outcome: Outcome): Promise<void> {
  const outcomes = JSON.parse(await readFile(DATA, "utf8").catch(() => "{}")) as Outcomes;
  outcomes[measured.name] = outcome;
  await writeFormatted(DATA, JSON.stringify(outcomes));
  await writeFormatted(PAGE, page(all, outcomes));
}

async function writeFormatted(path: string, text: string): Promise<void> {
  await writeFile(path, (await format(path, text, { printWidth: 120 })).code);
}

function page(all: readonly Measurement[], outcomes: Outcomes): string {
  const known = all.flatMap(({ name, title }) => {
    const outcome = outcomes[name];
    return outcome ? [{ name, title, ...outcome }] : [];
  });
  const rows = known.flatMap(({ figures }) =>
    figures.map(({ what, goal, measured, reached }) => `| ${what} | ${goal} | ${measured} | ${verdict(reached)} |`),
  );
  const sections = known.map(
    ({ name, title, notes }) => `## ${title}\n\n\`npm run bench ${name}\`\n\n${notes.join("\n\n")}`,
  );
  const machine = `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB of memory, Node ${process.versions.node}`;
  return `# Benchmark results

\`npm run bench\` measures these figures and writes this page; \`npm run bench <name>\` repeats one section. Machine: ${machine}.

| what | goal | measured | reached |
|---|---|---|---|
${rows.join("\n")}

${sections.join("\n\n")}
`;
}

const verdict = (reached: boolean | null) => (reached === null ? "–" : reached ? "yes" : "**no**");
