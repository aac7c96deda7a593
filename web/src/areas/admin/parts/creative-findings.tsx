import { categoryName, CATEGORY_NAMES } from "../../../shared/categories/iab-categories.ts";
import { ChoiceFilter } from "../../../ui/fields/choice-filter.tsx";
import { Chips } from "../../../ui/fields/chips.tsx";
import { CheckboxField } from "../../../ui/form/checkbox-field.tsx";
import classes from "./parts.module.css";

/** What a moderator finds of a creative that is approved. */
export interface Findings {
  categories: string[];
  forChildren: boolean;
}

interface CreativeFindingsProps {
  found: Findings;
  onChange: (found: Findings) => void;
}

/** The categories by which publishers block a creative, and whether it may be shown to children. */
export function CreativeFindings({ found, onChange }: CreativeFindingsProps) {
  const { categories, forChildren } = found;
  return (
    <>
      <div className={classes.findings} role="group" aria-label="Categories">
        <span>Categories of what is advertised; publishers block ads by them.</span>
        {categories.length === 0 ? null : (
          <Chips
            label="Chosen categories"
            chips={categories.map((code) => ({ id: code, label: categoryName(code), note: code }))}
            removes={(name) => `Remove ${name}`}
            onRemove={(code) => onChange({ ...found, categories: categories.filter((other) => other !== code) })}
          />
        )}
        <ChoiceFilter
          what="categories"
          options={CATEGORY_NAMES}
          chosen={categories}
          onChange={(chosen) => onChange({ ...found, categories: chosen })}
          text="Choose categories"
          inOrder
        />
      </div>
      <CheckboxField
        name="for_children"
        label="Suitable for children: it may be shown in apps for them"
        value={forChildren}
        error={undefined}
        onChange={(value) => onChange({ ...found, forChildren: value })}
      />
    </>
  );
}
