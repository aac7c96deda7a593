import type { SourceFile } from "../gates/source-tree.ts";
import { houseRule } from "./house-rule.ts";

const GLOSSARY = "docs/glossary.md";
const CHECKED = /\.(?:tsx?|md|css)$/;
/** A row of the table of replaced words: in backticks what is refused, beside it what is said. */
const ROW = /^\|\s*`(\w+)`\s*\|\s*([^|]+?)\s*\|/;
/** Where a name or a sentence parts into words: at signs that are no letters, and at capitals. */
const WORDS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;

/** The words that the glossary has replaced, in names and in prose; the glossary alone says them. */
export const glossary = houseRule(
  "glossary",
  `say it with the word that ${GLOSSARY} has under "Words that are not used"`,
  (files) => {
    const table = files.find(({ path }) => path === GLOSSARY);
    if (!table) return [`there is no ${GLOSSARY}`];
    const refused = refusedWords(table.text);
    if (refused.length === 0) return [`${GLOSSARY} refuses no word: its table cannot be read`];
    return files
      .filter(({ path }) => path !== GLOSSARY && CHECKED.test(path))
      .flatMap((file) => faultsOf(file, refused));
  },
);

interface Refused {
  word: string;
  /** As it stands in a sequence of lower-case words: `skeletonBar` is "skeleton bar". */
  sequence: string;
  instead: string;
}

function refusedWords(text: string): Refused[] {
  const [, after = ""] = text.split("## Words that are not used");
  const rows = (after.split("\n## ")[0] ?? "").split("\n").map((line) => ROW.exec(line));
  return rows.flatMap((row) => {
    const [, word, instead] = row ?? [];
    return word === undefined || instead === undefined ? [] : [{ word, sequence: sequenceOf(word), instead }];
  });
}

function faultsOf({ path, text }: SourceFile, refused: readonly Refused[]): string[] {
  return text.split("\n").flatMap((line, index) => {
    const said = sequenceOf(line);
    return refused
      .filter(({ sequence }) => said.includes(sequence))
      .map(({ word, instead }) => `${path}:${index + 1} says ${word}: ${instead}`);
  });
}

/** With a space at both ends, so that a word is found whole. */
const sequenceOf = (text: string): string => ` ${(text.match(WORDS) ?? []).join(" ").toLowerCase()} `;
