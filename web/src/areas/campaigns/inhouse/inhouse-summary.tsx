import { SummaryPanel } from "../form/summary-panel.tsx";
import type { InhouseDraft } from "./inhouse-draft.ts";
import type { InhouseChoices } from "./inhouse-parts.tsx";
import { inhouseWords } from "./inhouse-words.ts";

export const Summary = ({ draft, choices }: { draft: InhouseDraft; choices: InhouseChoices }) => (
  <SummaryPanel lines={inhouseWords(draft, choices)} />
);
