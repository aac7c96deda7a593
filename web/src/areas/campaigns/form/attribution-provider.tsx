import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import classes from "./form.module.css";
import { LaterSelectField } from "./later-select-field.tsx";
import own from "./measurement.module.css";
import { measurementQuery } from "./postbacks.tsx";
import { PROVIDERS, type Provider, withParameters } from "./providers.ts";
import type { CampaignForm } from "./use-campaign-form.ts";

interface AttributionProviderProps {
  form: CampaignForm;
  /** Null for a new campaign. */
  uuid: string | null;
  provider: Provider | undefined;
  onChoose: (id: string) => void;
}

/** The provider that reports the campaign's conversions, and the parameters that its links need. */
export function AttributionProvider({ form, uuid, provider, onChoose }: AttributionProviderProps) {
  return (
    <>
      <div className={classes.pair}>
        <LaterSelectField
          name="provider"
          value={provider?.id ?? ""}
          error={undefined}
          onChange={onChoose}
          label="Attribution provider"
          placeholder="None, or our own server"
          options={PROVIDERS.map(({ id, name }) => ({ value: id, label: name }))}
        />
        {provider ? <AddParameters form={form} uuid={uuid} provider={provider} /> : null}
      </div>
      {provider ? <AboutProvider provider={provider} /> : null}
    </>
  );
}

function AddParameters({ form, uuid, provider }: { form: CampaignForm; uuid: string | null; provider: Provider }) {
  const { draft, set } = form;
  const { data } = useQuery({ ...measurementQuery(uuid ?? ""), enabled: uuid !== null });
  const hasCallback = provider.installCallback !== undefined;
  const withOurs = (link: string) => withParameters(link, provider, data?.postback_url ?? null);
  return (
    <div className={own.add}>
      <Button
        type="button"
        variant="default"
        disabled={!URL.canParse(draft.click_link.trim()) || (hasCallback && uuid !== null && data === undefined)}
        onClick={() =>
          set({
            click_link: withOurs(draft.click_link),
            ...(draft.view_link !== "" && { view_link: withOurs(draft.view_link) }),
          })
        }
      >
        Add its parameters
      </Button>
      <p className={classes.hint}>
        {`Paste the link that ${provider.name} gave you, then add our values to it.`}
        {hasCallback && uuid === null ? " Its install callback can be added once the campaign is saved." : null}
      </p>
    </div>
  );
}

function AboutProvider({ provider: { name, setup, unconfirmed } }: { provider: Provider }) {
  return (
    <div className={own.about}>
      <p className={classes.hint}>{setup}</p>
      {unconfirmed.length > 0 ? (
        <p className={own.unconfirmed}>
          {`Compare these names with ${name}’s own before you rely on them; its public documentation did not confirm them to us: `}
          {unconfirmed.map((text, nth) => (
            <span key={text}>
              {nth > 0 ? ", " : null}
              <code>{text}</code>
            </span>
          ))}
          .
        </p>
      ) : null}
    </div>
  );
}
