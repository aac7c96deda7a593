import { Change } from "../../../ui/number/change.tsx";
import type { ComparedFigure } from "../compared.ts";
import type { Scope } from "../scope.ts";
import { useCompared } from "../use-compared.ts";

/** The change of a total from the compared period; nothing if there is none. */
export function PeriodChange({ scope, figure }: { scope: Scope; figure: ComparedFigure }) {
  const compared = useCompared(scope)?.(figure);
  if (!compared || compared.change === null) return null;
  return <Change text={compared.change} against={compared.against} />;
}
