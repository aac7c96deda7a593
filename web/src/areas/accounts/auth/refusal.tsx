import { TEXTS } from "@millrace/contract";
import { useSite } from "../../../shared/site.ts";

/**
 * The reason why a form was refused. A blocked user has no session and cannot use the support form, so the message
 * names the operator's address, or what to do if there is none.
 */
export const Refusal = ({ text }: { text: string | null }) => (text === TEXTS.blocked ? <BlockedText /> : text);

function BlockedText() {
  const site = useSite();
  // Until the reply arrives, it is not known whether there is an address.
  if (!site.data) return site.isError ? TEXTS.blocked : "This account is blocked.";
  const { name, email, address } = site.data.operator;
  if (email !== null) {
    return (
      <>
        This account is blocked. To have it unblocked, write to <a href={`mailto:${email}`}>{email}</a> from the
        account's e-mail address.
      </>
    );
  }
  const way =
    address === null
      ? "This platform has no support address: contact its operator the way you usually do"
      : `Write to ${name}, ${address}`;
  return `This account is blocked. ${way}, and include the account's e-mail address.`;
}
