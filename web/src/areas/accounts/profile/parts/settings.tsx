import { FirstName, NewPassword, Phone, type Profile, Surname } from "@millrace/contract";
import { formatDaysLeft, formatMoney } from "@millrace/units";
import { useState } from "react";
import { z } from "zod";
import { CopyText } from "../../../../ui/copy-text.tsx";
import { PasswordField } from "../../../../ui/form/password-field.tsx";
import { SelectField } from "../../../../ui/form/select-field.tsx";
import { TextField } from "../../../../ui/form/text-field.tsx";
import { Panel } from "../../../../ui/panel.tsx";
import type { ProfileEdit } from "../api.ts";
import { ChoiceRow } from "./choice-row.tsx";
import { EditRow } from "./edit-row.tsx";
import classes from "./parts.module.css";
import { Row } from "./row.tsx";

const NEVER = "";
const daysText = (days: number) => `${days} ${days === 1 ? "day" : "days"} before it runs out`;
/** The balance at which the mail comes, which is easier to judge than days. */
const optionText = ({ days, below }: Profile["balance_days_options"][number]) =>
  below === null ? daysText(days) : `${daysText(days)} (below ${formatMoney(below)})`;

function alertHint({ balance_days_left_available: daysLeft }: Profile): string {
  const notice = "You get a mail before your campaign balance runs out.";
  return daysLeft === null
    ? notice
    : `${notice} At the spend of the last seven days it lasts ${formatDaysLeft(daysLeft)}.`;
}

/** Personal data and preferences; each field is saved on its own. */
export function Settings({ profile, withPassword }: { profile: Profile; withPassword: boolean }) {
  const { extra, balance_days_options: alerts } = profile;
  return (
    <Panel title="Settings">
      <dl className={classes.rows}>
        <Row label="ID">
          <CopyText text={profile.uuid} what="your ID" />
        </Row>
        <Row label="Email">{profile.email}</Row>
        <EditRow
          label="Name"
          shown={profile.name}
          initial={profile.name}
          schema={FirstName}
          toEdit={(value) => ({ name: "name", value })}
          renderField={(field) => <TextField {...field} label="Name" autoComplete="given-name" />}
        />
        <EditRow
          label="Last name"
          shown={profile.surname || <Unset />}
          initial={profile.surname}
          schema={Surname}
          toEdit={(value) => ({ name: "surname", value })}
          renderField={(field) => <TextField {...field} label="Last name" autoComplete="family-name" />}
        />
        <EditRow
          label="Phone"
          shown={extra.phone || <Unset />}
          initial={extra.phone}
          schema={Phone}
          toEdit={(value) => ({ name: "phone", value })}
          renderField={({ onChange, ...field }) => (
            <TextField
              {...field}
              label="Phone"
              inputMode="tel"
              autoComplete="tel"
              onChange={(typed) => onChange(maskedPhone(typed))}
            />
          )}
        />
        {withPassword ? <PasswordRow profile={profile} /> : null}
        {alerts.length === 0 ? null : (
          <EditRow
            label="Balance alert"
            shown={extra.days_left === null ? "Never" : daysText(extra.days_left)}
            initial={extra.days_left === null ? NEVER : String(extra.days_left)}
            schema={z.string()}
            toEdit={(value): ProfileEdit => ({ name: "days_left", value: value === NEVER ? null : Number(value) })}
            renderField={(field) => (
              <SelectField
                {...field}
                label="Balance alert"
                description={alertHint(profile)}
                placeholder="Never"
                options={alerts.map((one) => ({ value: String(one.days), label: optionText(one) }))}
              />
            )}
          />
        )}
        <ChoiceRow
          label="News subscription"
          value={profile.is_subscribed}
          yes="Subscribed"
          no="Not subscribed"
          toEdit={(value) => ({ name: "is_subscribed", value })}
        />
        <ChoiceRow
          label="Week start"
          value={!profile.week_start_on_sunday}
          yes="Monday"
          no="Sunday"
          toEdit={(monday) => ({ name: "week_start_on_sunday", value: !monday })}
        />
      </dl>
    </Panel>
  );
}

const Unset = () => <span className={classes.faint}>not set</span>;

const MAX_PHONE_DIGITS = 15;

/** Allows a leading plus and 15 digits; other typed or pasted characters are dropped. */
export function maskedPhone(typed: string): string {
  const plus = typed.trimStart().startsWith("+") ? "+" : "";
  return plus + typed.replaceAll(/\D/g, "").slice(0, MAX_PHONE_DIGITS);
}

/** The new password takes effect through a mailed link, so an unattended session cannot take over the account. */
function PasswordRow({ profile }: { profile: Profile }) {
  const [mailed, setMailed] = useState(false);
  return (
    <EditRow
      label="Password"
      shown={
        mailed ? (
          <>A mail was sent to {profile.email}. Open its link to activate the new password.</>
        ) : profile.has_password ? (
          "••••••••"
        ) : (
          <Unset />
        )
      }
      initial=""
      schema={NewPassword}
      toEdit={(value) => ({ name: "password", value })}
      onSaved={() => setMailed(true)}
      renderField={(field) => (
        <PasswordField
          {...field}
          label="New password"
          description="We will send you a mail. Open its link to activate the new password."
          autoComplete="new-password"
        />
      )}
    />
  );
}
