import { type AppSettings, Blocks as Body } from "@millrace/contract";
import { useRef } from "react";
import { Chips } from "../../../ui/fields/chips.tsx";
import { ChoiceFilter } from "../../../ui/fields/choice-filter.tsx";
import { TextAreaField } from "../../../ui/form/text-area-field.tsx";
import { useSetBlocks } from "../api.ts";
import { CATEGORY_NAMES, categoryName } from "../../../shared/categories/iab-categories.ts";
import { entriesFault, entriesOf } from "./read-lines.ts";
import { SettingForm } from "./setting-form.tsx";
import classes from "./settings.module.css";
import { useSetting } from "./use-setting.ts";

interface Draft {
  categories: string[];
  domains: string;
}

const draftOf = ({ categories, domains }: AppSettings["blocks"]): Draft => ({
  categories: [...categories].sort(byNumber),
  domains: domains.join("\n"),
});

const byNumber = (a: string, b: string) => a.localeCompare(b, "en", { numeric: true });

const meaningOf = ({ categories, domains }: Draft) => JSON.stringify([categories, entriesOf(domains)]);

function faultOf({ categories, domains }: Draft): string | null {
  const issue = Body.shape.categories.safeParse(categories).error?.issues[0];
  return issue ? `Categories: ${issue.message}` : entriesFault(Body.shape.domains, domains, "Advertiser domains");
}

/** Categories and domains that the app never shows. */
export function Blocks({ settings: { app, blocks, revisions } }: { settings: AppSettings }) {
  const set = useSetBlocks(app.uuid);
  const setting = useSetting({
    saved: draftOf(blocks),
    keyOf: meaningOf,
    check: faultOf,
    revision: revisions.blocks,
    save: async ({ categories, domains }, revision) => {
      const now = await set.mutateAsync({ categories, domains: entriesOf(domains), revision });
      return { saved: draftOf(now.blocks), revision: now.revisions.blocks };
    },
  });
  const { draft, change } = setting;
  const part = useRef<HTMLDivElement>(null);
  const choose = (categories: string[]) => change({ ...draft, categories: categories.toSorted(byNumber) });
  return (
    <SettingForm
      title="Blocked advertising"
      about="Partners are told of these categories and advertisers, and bids with such ads are rejected. What the tag of a line item shows cannot be checked."
      action="Save blocks"
      setting={setting}
    >
      <div ref={part} className={classes.part} role="group" aria-label="Categories" tabIndex={-1}>
        <span className={classes.partLabel}>Categories</span>
        {draft.categories.length === 0 ? (
          <span className={classes.faint}>None blocked.</span>
        ) : (
          <Chips
            label="Blocked categories"
            chips={draft.categories.map((code) => ({ id: code, label: categoryName(code), note: code }))}
            removes={(name) => `Allow ${name}`}
            onRemove={(code) => {
              choose(draft.categories.filter((other) => other !== code));
              // The focused button disappears with its category.
              part.current?.focus();
            }}
          />
        )}
        <ChoiceFilter
          what="categories"
          options={CATEGORY_NAMES}
          chosen={draft.categories}
          onChange={choose}
          text="Choose categories"
          inOrder
        />
      </div>
      <TextAreaField
        name="domains"
        label="Advertiser domains"
        description="One per line, such as shop.example; at most 500."
        rows={5}
        spellCheck={false}
        autoCapitalize="none"
        value={draft.domains}
        error={undefined}
        onChange={(domains) => change({ ...draft, domains })}
      />
    </SettingForm>
  );
}
