import { LegalFrame } from "../parts/legal-frame.tsx";

/** Ownership of the content, and where to report an infringement. */
export function CopyrightPage() {
  return (
    <LegalFrame title="Copyright">
      <p>
        The Millrace software is licensed under the Apache License, version 2.0. What this platform shows besides is its
        operator&apos;s, or belongs to those who put it there: apps, logos and ads to the publishers and advertisers,
        names and marks of demand partners to them.
      </p>
      <p>
        The typeface is Inter, under the SIL Open Font License. The map&apos;s outlines are made from Natural Earth,
        which is in the public domain.
      </p>
      <h2>Something of yours is here without your permission</h2>
      <p>Tell the operator, with:</p>
      <ul>
        <li>what the work is, and that it is yours or that you act for its owner;</li>
        <li>where you saw it: the address of the page, or a picture of the ad and the name of the app;</li>
        <li>how you can be reached.</li>
      </ul>
      <p>
        An ad or an app that takes the work of others is stopped, and its owner is told why. Whoever thinks that a
        notice was wrong can answer the same way.
      </p>
    </LegalFrame>
  );
}
