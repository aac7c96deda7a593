import type { PartnerScore } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PATHS } from "../../../shared/paths.ts";
import { useMayUse } from "../../../shared/session.ts";
import { Fold } from "../../../ui/fold.tsx";
import { PartnerName, TEST_BIDDERS } from "../parts/partner-name.tsx";
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
      <Folded title="Test bidders" partners={tests} about={TEST_BIDDERS} />
    </div>
  );
}

interface FoldedProps {
  title: string;
  partners: readonly PartnerScore[];
  about?: string;
  children?: (partner: PartnerScore) => ReactNode;
}

function Folded({ partners, children, ...fold }: FoldedProps) {
  if (partners.length === 0) return null;
  return (
    <Fold {...fold} count={partners.length}>
      <ul aria-label={fold.title}>
        {partners.map((partner) => (
          <li key={partner.id}>
            <PartnerName name={partner.name} />
            {children?.(partner)}
          </li>
        ))}
      </ul>
    </Fold>
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
