import { campaignWords } from "./campaign-words.ts";
import type { Draft } from "./draft.ts";
import { SummaryPanel } from "./summary-panel.tsx";

interface SummaryProps {
  draft: Draft;
  countries: Readonly<Record<string, string>>;
}

export const Summary = ({ draft, countries }: SummaryProps) => <SummaryPanel lines={campaignWords(draft, countries)} />;
