import { Link } from "@tanstack/react-router";
import { PATHS } from "./paths.ts";

const CONTACT = /^(.*)(contact (?:us|support))(.*)$/is;

/** A sentence whose last "contact us" or "contact support" links to the support page. */
export function SupportText({ text }: { text: string }) {
  const [, before, words, after] = CONTACT.exec(text) ?? [];
  if (words === undefined) return text;
  return (
    <>
      {before}
      <Link to={PATHS.support}>{words}</Link>
      {after}
    </>
  );
}
