import { Link } from "@tanstack/react-router";
import { PATHS } from "../../../shared/paths.ts";
import { LegalFrame } from "../parts/legal-frame.tsx";

/** The terms of an account and the duties of both sides. */
export function TermsPage() {
  return (
    <LegalFrame title="Terms of service">
      <p>
        This platform is run with the Millrace software by an operator, who is named at the end of this page. These
        terms are between you and the operator. Where a signed contract between you says otherwise, the contract holds.
      </p>
      <h2>Your account</h2>
      <p>
        You need an e-mail address that you can read, and a name. Keep your password to yourself, and switch the
        authenticator on. What is done with your account counts as done by you; tell the operator at once when somebody
        else got in. Sub-users and managers that you add act for you.
      </p>
      <h2>Publishers</h2>
      <p>
        You may put the SDK into apps that are yours or that you may publish. You tell the people who use them which ads
        they see and which data go out for them, and you ask for their consent where the law wants it. Apps are looked
        at before they serve, and can be stopped with a reason.
      </p>
      <h2>Advertisers</h2>
      <p>
        You answer for what your ads show and where they lead. A campaign spends no more than its budget and your
        balance. An ad can be refused or stopped with a reason.
      </p>
      <h2>Money</h2>
      <p>
        Amounts are US dollars. What is earned and what is spent follows from counted events: an impression counts once,
        and invalid traffic is recorded and never billed. Partners that you hold keys with may restate their figures;
        the difference is then booked with its cause. When payments are made is agreed between you and the operator.
      </p>
      <h2>What is not allowed</h2>
      <ul>
        <li>Traffic that no person caused, and clicks that nobody wanted.</li>
        <li>Apps or ads that break the law, or that harm or deceive the people who see them.</li>
        <li>Trying to reach the data of other accounts, or to keep the platform from working.</li>
      </ul>
      <h2>The end</h2>
      <p>
        You can delete your account in your profile whenever you want. The operator can block an account that breaks
        these terms and says why. What was earned until then is still owed.
      </p>
      <h2>What the operator promises, and what not</h2>
      <p>
        The operator runs the platform with care, but cannot promise that it never fails, nor what you will earn.
        Nothing here takes a right from you that the law gives you and that a contract cannot take.
      </p>
      <p>
        What is kept about you is told in the <Link to={PATHS.privacy}>privacy notice</Link>, the use of the software in
        the <Link to={PATHS.eula}>terms of use</Link>. When these terms change, you are asked to agree anew at your next
        visit.
      </p>
    </LegalFrame>
  );
}
