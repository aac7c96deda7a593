import { LegalFrame } from "../parts/legal-frame.tsx";

/** The licence of the dashboard and the SDK. */
export function EulaPage() {
  return (
    <LegalFrame title="Terms of use">
      <p>
        Millrace is open source under the Apache License, version 2.0. The operator named at the end of this page runs
        this copy, may have modified it, and is responsible for it.
      </p>
      <h2>Dashboard and API</h2>
      <p>
        With an account, you may use the dashboard and its API for your own business. An access token gives access to
        your account: keep it as secret as your password, and replace it if it is exposed.
      </p>
      <h2>The SDK</h2>
      <p>
        You may add the SDK to your apps, modify it, and ship it with them under the Apache License. The SDK requests
        ads from this platform and reports impressions. You may not modify it to report events that did not happen.
      </p>
      <h2>Third-party names</h2>
      <p>
        You connect demand partners with keys that they issue to you. Their terms are between you and them, and their
        names and marks belong to them.
      </p>
      <h2>No warranty</h2>
      <p>
        The software is provided as is, without warranty, to the extent that the law allows (sections 7 and 8 of the
        Apache License).
      </p>
    </LegalFrame>
  );
}
