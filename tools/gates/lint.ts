import type { Gate } from "./gate.ts";
import { runCommand } from "./run-command.ts";

interface Report {
  diagnostics: {
    message: string;
    code: string;
    filename: string;
    labels: { span: { line: number; column: number } }[];
  }[];
  number_of_files: number;
}

export const lint: Gate = {
  name: "lint",
  fix: "npx oxlint --type-aware --fix, then fix the rest by hand",
  async run(root) {
    const result = await runCommand("oxlint", ["--type-aware", "-c", ".oxlintrc.json", "--format", "json"], root);
    let report: Report;
    try {
      report = JSON.parse(result.stdout) as Report;
    } catch {
      return { findings: [`oxlint did not run: ${result.stdout}${result.stderr}`], checked: "nothing" };
    }
    const findings = report.diagnostics.map(({ filename, labels, code, message }) => {
      const span = labels[0]?.span;
      return `${filename}:${span?.line ?? 1}:${span?.column ?? 1} ${code} ${message}`;
    });
    if (result.code !== 0 && findings.length === 0)
      findings.push(`oxlint exited with ${result.code}: ${result.stderr}`);
    if (report.number_of_files === 0) findings.push("oxlint read no file");
    return { findings, checked: `${report.number_of_files} files` };
  },
};
