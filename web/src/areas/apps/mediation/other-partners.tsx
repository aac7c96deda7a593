import type { PartnerScore } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PATHS } from "../../../shared/paths.ts";
import { useMayUse } from "../../../shared/session.ts";
import { PartnerName } from "../parts/partner-name.tsx";
import classes from "./scorecard.module.css";

interface OtherPartnersProps {
  uuid: string;
  partners: readonly PartnerScore[];
}

/** The partners that take no part: without keys, disabled by the platform, and the demo's test bidders. */
export function OtherPartners({ uuid, partners }: OtherPartnersProps) {
  const tests = partners.filter(({ is_test: isTest }) => isTest);
  const disabled = partners.filter(({ is_test: isTest, active }) => !isTest && !active);
  const keyless = partners.filter(({ is_test: isTest, active }) => !isTest && active);
  return (
    <div className={classes.others}>
      <Folded title="Without keys" partners={keyless}>
        {({ name }) => <KeysLink uuid={uuid} partner={name} />}
      </Folded>
      <Folded title="Disabled by the platform" partners={disabled} />
      <Folded
        title="Test bidders"
        partners={tests}
        about="The demo's bidders that misbehave on purpose. They are switched off."
      />
    </div>
  );
}

interface FoldedProps {
  title: string;
  partners: readonly PartnerScore[];
  about?: string;
  children?: (partner: PartnerScore) => ReactNode;
}

function Folded({ title, partners, about, children }: FoldedProps) {
  if (partners.length === 0) return null;
  return (
    <details className={classes.folded}>
      <summary>
        {title} <span>{partners.length}</span>
      </summary>
      {about === undefined ? null : <p>{about}</p>}
      <ul aria-label={title}>
        {partners.map((partner) => (
          <li key={partner.id}>
            <PartnerName name={partner.name} />
            {children?.(partner)}
          </li>
        ))}
      </ul>
    </details>
  );
}

export function KeysLink({ uuid, partner }: { uuid: string; partner?: string }) {
  const may = useMayUse();
  if (!may("keys.manage")) return <span className={classes.faint}>no keys</span>;
  return (
    <Link to={PATHS.appDsp} params={{ uuid }} search={{}} className={classes.link}>
      Add keys {partner === undefined ? null : <span className="visually-hidden">at {partner}</span>}
    </Link>
  );
}
