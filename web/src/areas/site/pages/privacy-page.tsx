import { LegalFrame } from "../parts/legal-frame.tsx";

/** The data this software stores, its purpose and its retention. */
export function PrivacyPage() {
  return (
    <LegalFrame title="Privacy notice">
      <p>
        This tells what this platform keeps about people, and for how long. Its operator, named at the end of this page,
        answers for it. There is no tracking of visitors, and nothing here is sold.
      </p>
      <h2>People with an account</h2>
      <ul>
        <li>
          Your e-mail, name, and, if you enter them, surname and phone number; your settings; when you were last here.
        </li>
        <li>
          Your password as an argon2id hash, never itself. The secret of your authenticator encrypted, its recovery
          codes as hashes.
        </li>
        <li>Sign-ins as hashes of random tokens: for 30 days, or until you log out.</li>
        <li>
          If you sign in through Google or Facebook: their number for you and the e-mail they told. They learn that you
          signed in here.
        </li>
        <li>
          A log of acts that matter for safety, such as a changed password: what, when, by whom, and from which IP
          address. Nobody can change it.
        </li>
        <li>Your apps and campaigns, and the bookings of your money, which cannot be changed either.</li>
        <li>The links of mails work once, and for an hour or a day; of them only hashes are kept.</li>
      </ul>
      <p>
        Mails go out through the operator&apos;s mail server. Where the operator has switched a chat with support on, it
        is Intercom, which then learns your name, e-mail and when you signed up.
      </p>
      <h2>People who see ads</h2>
      <ul>
        <li>
          For each ad request and each impression, click and session: when, which app, which format, which country and
          platform, and what it earned. The device stands there as a keyed hash from which its advertising id cannot be
          read.
        </li>
        <li>
          For an auction, the request goes to the demand partners that the app&apos;s publisher has connected. It can
          hold the device&apos;s IP address and advertising id. They are left out for children, and where consent is
          needed and was not given.
        </li>
        <li>
          So that a decision can be explained, its full record, which holds that request, is kept for 14 days: of a
          sample of auctions, and of all in a demonstration.
        </li>
      </ul>
      <h2>In your browser</h2>
      <ul>
        <li>
          One cookie while you are signed in, <code>millrace</code> (over HTTPS <code>__Host-millrace</code>), for 30
          days.
        </li>
        <li>
          One cookie during a sign-in through Google or Facebook, <code>millrace-social</code> (over HTTPS{" "}
          <code>__Host-millrace-social</code>), for 10 minutes.
        </li>
        <li>
          One cookie after a sign-up, <code>millrace-signup</code> (over HTTPS <code>__Host-millrace-signup</code>),
          until the account is opened, for 24 hours at most: the password you chose counts in that browser alone.
        </li>
        <li>
          In the browser&apos;s own storage: whether you like it light or dark, until when a sign-in can still hold,
          whether you last worked on apps or campaigns, and for 24 hours the e-mail that you signed up with here.
        </li>
      </ul>
      <p>
        All of it is needed for what you asked for, so there is no banner to agree to. An Intercom chat sets its own.
      </p>
      <h2>Your rights</h2>
      <p>
        Your profile lets you see and correct what is kept about you, download all of it, and delete your account. A
        download stays ready for seven days. Deleting takes everything personal out of every store; bookings of money
        stay, without you. For everything else, and to object or complain, write to the operator; you can also turn to
        the data protection authority of your country.
      </p>
    </LegalFrame>
  );
}
