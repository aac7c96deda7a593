import { LegalFrame } from "../parts/legal-frame.tsx";

/** The licence of the dashboard and the SDK. */
export function EulaPage() {
  return (
    <LegalFrame title="Terms of use">
      <p>
        Millrace is open source under the Apache License, version 2.0. The operator, named at the end of this page, runs
        this copy of it, may have changed it, and answers for what runs here.
      </p>
      <h2>The dashboard and the calls</h2>
      <p>
        With an account you may use the dashboard and the calls behind it for your own business. An access token stands
        for your account: keep it as secret as your password, and replace it when it was seen.
      </p>
      <h2>The SDK</h2>
      <p>
        You may put the SDK into your apps, change it, and ship it with them, as the Apache License says. It asks this
        platform for ads and reports that they were shown. It must not be changed so that it reports what did not
        happen.
      </p>
      <h2>Names of others</h2>
      <p>
        Demand partners are reached with keys that you hold from them. Their terms are between you and them; their names
        and marks are theirs.
      </p>
      <h2>No warranty</h2>
      <p>
        The software comes as it is, without warranty, as sections 7 and 8 of the Apache License say, as far as the law
        allows that.
      </p>
    </LegalFrame>
  );
}
