import { type Billing, type BillingFields, editBilling, loadingText, mayUse } from "@millrace/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../shared/call-api.ts";
import { KNOWN_COUNTRY_OPTIONS } from "../../shared/countries.ts";
import { useContractForm } from "../../shared/form/use-contract-form.ts";
import { BLOCK_WORDS } from "../../shared/invoices/invoice-words.ts";
import { useKnownSession } from "../../shared/session.ts";
import { CheckboxField } from "../../ui/form/checkbox-field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { SelectField } from "../../ui/form/select-field.tsx";
import { TextAreaField } from "../../ui/form/text-area-field.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { useNotify } from "../../ui/notify/notify.tsx";
import { EmptyNote } from "../../ui/states/empty-note.tsx";
import { LoadedBlock } from "../../ui/states/loaded-block.tsx";
import { SkeletonBar } from "../../ui/states/skeletons.tsx";
import { billingQuery } from "./api.ts";
import classes from "./invoices.module.css";

const NO_DETAILS: BillingFields = {
  legal_name: "",
  address: "",
  country: "",
  is_business: true,
  vat_id: "",
  self_billing: false,
};

/** Who the account is on invoices: a form for its owner, the text for everybody else. */
export function BillingDetails() {
  const session = useKnownSession();
  const mayEdit = session !== undefined && mayUse("billing.manage", session);
  return (
    <LoadedBlock
      title="Billing details"
      query={useQuery(billingQuery)}
      loading={loadingText("billing details")}
      skeleton={<SkeletonBar width="60%" height="120px" />}
      isEmpty={({ details }) => details === null && !mayEdit}
      empty={
        <EmptyNote
          title="No billing details yet"
          why="The account’s owner enters them. Invoices follow once they have."
        />
      }
    >
      {(billing) => (
        <>
          <Standing billing={billing} />
          {mayEdit ? (
            <div className={classes.form}>
              <BillingForm billing={billing} canApps={session.roles.can_apps} />
            </div>
          ) : (
            <BillingText billing={billing} isSwitched={session?.is_switched === true} />
          )}
        </>
      )}
    </LoadedBlock>
  );
}

/** What stands against invoices. */
function Standing({ billing: { details, blocks, is_issuing: isIssuing } }: { billing: Billing }) {
  if (!isIssuing) return <p className={classes.about}>This platform does not issue invoices yet.</p>;
  if (details === null)
    return <p className={classes.about}>Invoices are issued once you have entered who you are on paper.</p>;
  if (blocks.length === 0) return null;
  return (
    <p className={classes.about}>No invoice can be issued: {blocks.map((block) => BLOCK_WORDS[block]).join("; ")}.</p>
  );
}

function BillingText({ billing: { details }, isSwitched }: { billing: Billing; isSwitched: boolean }) {
  if (details === null) return null;
  const { legal_name: name, address, country, vat_id: vatId } = details;
  return (
    <>
      <address className={classes.address}>
        {[name, address, KNOWN_COUNTRY_OPTIONS.find(({ value }) => value === country)?.label, vatId]
          .filter(Boolean)
          .join("\n")}
      </address>
      <p className={classes.about}>
        {isSwitched
          ? "Billing details are closed while an admin is switched in."
          : "Only the account’s owner changes billing details."}
      </p>
    </>
  );
}

function BillingForm({ billing, canApps }: { billing: Billing; canApps: boolean }) {
  const { tell } = useNotify();
  const client = useQueryClient();
  const form = useContractForm({
    schema: editBilling.body,
    initial: billing.details ?? NO_DETAILS,
    send: (fields) => callApi(editBilling, { body: { ...fields, vat_id: fields.is_business ? fields.vat_id : "" } }),
    onDone: (saved) => {
      client.setQueryData(billingQuery.queryKey, saved);
      tell("Your billing details are saved");
    },
  });
  return (
    <Form {...form.props}>
      <div className={classes.fields}>
        <TextField {...form.field("legal_name")} label="Legal name" autoComplete="organization" maxLength={150} />
        <SelectField
          {...form.field("country")}
          label="Country"
          options={KNOWN_COUNTRY_OPTIONS}
          placeholder="Choose a country"
        />
        <TextAreaField
          {...form.field("address")}
          label="Address"
          rows={3}
          maxLength={400}
          autoComplete="street-address"
        />
        {form.values.is_business === true ? (
          <TextField
            {...form.field("vat_id")}
            label="VAT ID, if you have one"
            description="Its format and check digits are checked. Whether a tax office has given it out (VIES) is not."
            maxLength={30}
          />
        ) : null}
      </div>
      <CheckboxField {...form.field("is_business")} label="We are a business, not a private person" />
      {canApps ? (
        <CheckboxField
          {...form.field("self_billing")}
          label="The platform may issue the invoices for our payments in our name (self-billing). We accept each of them, or object to it to support."
        />
      ) : null}
      <Submit {...form.submit}>Save billing details</Submit>
    </Form>
  );
}
