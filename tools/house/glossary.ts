import type { SourceFile } from "../gates/source-tree.ts";
import { houseRule } from "./house-rule.ts";

const GLOSSARY = "docs/glossary.md";
const CHECKED = /\.(?:tsx?|m?js|md|css|html|kts?)$/;
/** A row of the table of refused words: the word in backticks, what to say instead, and where the word is allowed. */
const ROW = /^\|\s*`(\w+)`\s*\|\s*([^|]+?)\s*\|\s*([^|]*?)\s*\|/;
const IN_BACKTICKS = /`([^`]+)`/g;
/** The words of a name or a sentence: split at capitals and at everything that is not a letter. */
const WORDS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;

/** Refuses the words that the glossary has replaced, in names and in prose. Only the glossary itself may mention them. */
export const glossary = houseRule(
  "glossary",
  `use the word that ${GLOSSARY} lists under "Words that are not used"`,
  (files) => {
    const table = files.find(({ path }) => path === GLOSSARY);
    if (!table) return [`there is no ${GLOSSARY}`];
    const refused = refusedWords(table.text);
    if (refused.length === 0) return [`${GLOSSARY} refuses no word: its table cannot be parsed`];
    return files
      .filter(({ path }) => path !== GLOSSARY && CHECKED.test(path))
      .flatMap((file) => findingsIn(file, refused));
  },
);

interface Refused {
  word: string;
  /** As lower-case words: `skeletonBar` is " skeleton bar ". */
  sequence: string;
  instead: string;
  /** Longer sequences in which the word is allowed. */
  phrases: string[];
  /** Beginnings of the paths in which the word is allowed. */
  paths: string[];
}

function refusedWords(text: string): Refused[] {
  const [, after = ""] = text.split("## Words that are not used");
  const rows = (after.split("\n## ")[0] ?? "").split("\n").map((line) => ROW.exec(line));
  return rows.flatMap((row) => {
    const [, word, instead, except = ""] = row ?? [];
    if (word === undefined || instead === undefined) return [];
    const exceptions = [...except.matchAll(IN_BACKTICKS)].map(([, exception = ""]) => exception);
    const isPath = (exception: string) => exception.includes("/");
    return [
      {
        word,
        sequence: sequenceOf(word),
        instead,
        phrases: exceptions.filter((exception) => !isPath(exception)).map(sequenceOf),
        paths: exceptions.filter(isPath),
      },
    ];
  });
}

function findingsIn({ path, text }: SourceFile, refused: readonly Refused[]): string[] {
  const applicable = refused.filter(({ paths }) => !paths.some((start) => path.startsWith(start)));
  return text.split("\n").flatMap((line, index) => {
    const words = sequenceOf(line);
    return applicable
      .filter(({ sequence, phrases }) => without(phrases, words).includes(sequence))
      .map(({ word, instead }) => `${path}:${index + 1} says ${word}: ${instead}`);
  });
}

const without = (phrases: readonly string[], words: string): string =>
  phrases.reduce((left, phrase) => left.replaceAll(phrase, " | "), words);

/** Starts and ends with a space, so that only whole words match. */
const sequenceOf = (text: string): string => ` ${(text.match(WORDS) ?? []).join(" ").toLowerCase()} `;
