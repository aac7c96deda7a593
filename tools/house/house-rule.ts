import type { Gate } from "../gates/gate.ts";
import { type SourceFile, sourceFiles } from "../gates/source-tree.ts";

/** A gate that reads the text of the tree. `find` gets every text file and returns one line per violation. */
export function houseRule(name: string, fix: string, find: (files: SourceFile[]) => string[]): Gate {
  return {
    name,
    fix,
    async run(root) {
      const files = await sourceFiles(root);
      return { findings: find(files), checked: `${files.length} files` };
    },
  };
}

/** `path:line` of every match. */
export function placesOf(pattern: RegExp, { path, text }: SourceFile): string[] {
  return text.split("\n").flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : []));
}

/** TypeScript without its comments, line breaks kept. Good enough for formatted code. */
export function withoutComments(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, " "))
    .replaceAll(/(?<![:"'`\\])\/\/.*$/gm, "");
}
