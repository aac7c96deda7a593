import { TEXTS } from "@millrace/contract";
import { useSite } from "../../../shared/site.ts";

/**
 * Why a form was refused. The support form needs a session, which a blocked user cannot open: they are led to the
 * operator's address instead, or told what to do where the operator names none.
 */
export const Refusal = ({ text }: { text: string | null }) => (text === TEXTS.blocked ? <BlockedText /> : text);

function BlockedText() {
  const site = useSite();
  // Without an answer nobody knows whether there is an address.
  if (!site.data) return site.isError ? TEXTS.blocked : "This account is blocked.";
  const { name, email, address } = site.data.operator;
  if (email !== null) {
    return (
      <>
        This account is blocked. To have it opened again, write to <a href={`mailto:${email}`}>{email}</a> from the
        account's e-mail address.
      </>
    );
  }
  const way =
    address === null
      ? "This platform shows no address for support: ask the people who run it, in the way you usually reach them"
      : `Write to ${name}, ${address}`;
  return `This account is blocked. ${way}, and name the account's e-mail address.`;
}
