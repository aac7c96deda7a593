import { LegalFrame } from "../parts/legal-frame.tsx";

/** Ownership of the content, and how to report an infringement. */
export function CopyrightPage() {
  return (
    <LegalFrame title="Copyright">
      <p>
        The Millrace software is licensed under the Apache License, version 2.0. Other content on this platform belongs
        to its operator or to the party that provided it: apps, logos and ads to the publishers and advertisers, and
        partner names and marks to the demand partners.
      </p>
      <p>
        The typeface is Inter, under the SIL Open Font License. The map outlines come from Natural Earth, which is in
        the public domain.
      </p>
      <h2>Content used without your permission</h2>
      <p>Write to the operator and include:</p>
      <ul>
        <li>a description of the work, and a statement that you own it or act for its owner;</li>
        <li>where you saw it: the address of the page, or a screenshot of the ad and the name of the app;</li>
        <li>your contact details.</li>
      </ul>
      <p>
        Ads and apps that infringe the rights of others are stopped, and their owner is given the reason. If you believe
        that a notice was wrong, you can object in the same way.
      </p>
    </LegalFrame>
  );
}
