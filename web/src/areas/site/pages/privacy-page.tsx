import { LegalFrame } from "../parts/legal-frame.tsx";

/** The data this software stores, its purpose and its retention. */
export function PrivacyPage() {
  return (
    <LegalFrame title="Privacy notice">
      <p>
        This notice describes the personal data that this platform stores, and for how long. The operator named at the
        end of this page is responsible for it. Visitors are not tracked, and no data is sold.
      </p>
      <h2>People with an account</h2>
      <ul>
        <li>
          Your e-mail, your name and, if you enter them, your surname and phone number; your settings; the time of your
          last visit.
        </li>
        <li>
          Your password, only as an argon2id hash. The secret of your authenticator, encrypted, and its recovery codes,
          as hashes.
        </li>
        <li>Your sessions, as hashes of random tokens, for 30 days or until you log out.</li>
        <li>
          If you sign in with Google or Facebook: the identifier and the e-mail that they send us. They learn that you
          signed in here.
        </li>
        <li>
          A log of security-relevant actions, such as a changed password: what, when, by whom, and from which IP
          address. Its entries cannot be changed.
        </li>
        <li>
          Your apps and campaigns, the addresses of your servers, and your financial records, which cannot be changed
          either.
        </li>
        <li>
          If you enter them: the bank account or PayPal address that you are paid to, encrypted, with a copy until each
          payment is settled, unless a payment provider keeps it; your billing name, address and VAT id, which stay on
          your invoices.
        </li>
        <li>Your messages to support, and the answers.</li>
        <li>
          Mailed links, only as hashes. A link works once and expires after an hour or a day, an invitation after a
          week.
        </li>
      </ul>
      <p>
        Mail is sent through the operator&apos;s mail server. If the operator has enabled support chat, its provider
        Intercom receives your name, your e-mail and the time you signed up.
      </p>
      <h2>People who see ads</h2>
      <ul>
        <li>
          For each ad request, impression, click and session: its time, app, format, country and platform, and what it
          earned. The device is stored as a keyed hash that does not reveal its advertising id. Only of test devices,
          which a publisher enters, the advertising id itself is stored.
        </li>
        <li>
          For a rewarded ad, the user id and the data that the app gave with it, until the publisher&apos;s server has
          confirmed the reward: a day at most.
        </li>
        <li>
          In an auction, the request is sent to the demand partners that the app&apos;s publisher has connected. It can
          include the device&apos;s IP address and advertising id. They are removed for children, and where required
          consent is missing.
        </li>
        <li>
          To explain decisions, the full record of an auction, including its request, is kept for 14 days: for a sample
          of auctions, or for all of them in a demo.
        </li>
      </ul>
      <h2>In your browser</h2>
      <ul>
        <li>
          One cookie while you are signed in, <code>millrace</code> (<code>__Host-millrace</code> over HTTPS), for 30
          days.
        </li>
        <li>
          One cookie during a sign-in with Google or Facebook, <code>millrace-social</code> (
          <code>__Host-millrace-social</code> over HTTPS), for 10 minutes.
        </li>
        <li>
          One cookie after a sign-up, <code>millrace-signup</code> (<code>__Host-millrace-signup</code> over HTTPS),
          until the account is opened, for 24 hours at most. The password you chose is valid in that browser only.
        </li>
        <li>
          One cookie after a sign-in, <code>millrace-device</code> (<code>__Host-millrace-device</code> over HTTPS), for
          400 days. By it, a later sign-in in this browser is told from a stranger&apos;s. It gives no access.
        </li>
        <li>
          In a demo, one cookie after the mailbox is opened with its key, <code>millrace-mailbox</code> (
          <code>__Host-millrace-mailbox</code> over HTTPS), for seven days.
        </li>
        <li>
          In your browser&apos;s storage: your colour scheme (<code>millrace-color-scheme</code>), when your session
          expires (<code>millrace-login-expires</code>), whether you last worked on apps or campaigns (
          <code>millrace-current-role</code>), the columns that you chose for statistics (
          <code>millrace-stat-columns</code>), and for 24 hours the e-mail that you signed up with (
          <code>millrace-signed-up</code>).
        </li>
        <li>
          Until you close the tab: how far you scrolled each page (<code>tsr-scroll-restoration-v1_3</code>) and, if you
          postponed the terms, your account&apos;s identifier (<code>millrace-agreement-later</code>).
        </li>
      </ul>
      <p>
        All of this is needed for features that you use, so there is no consent banner. The Intercom chat sets its own
        cookies.
      </p>
      <h2>Your rights</h2>
      <p>
        In your profile, you can view and correct your data. The owner of an account can also download all of it, and
        delete the account; everybody else can ask the owner, or write to the operator. A download is available for
        seven days. Deleting an account removes all personal data; invoices keep the name and address that are on them,
        and other financial records are kept without a name. For anything else, or to object or complain, write to the
        operator. You can also contact the data protection authority of your country.
      </p>
    </LegalFrame>
  );
}
