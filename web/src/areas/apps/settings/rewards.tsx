import { type AppSettings, RewardForm, type RewardSettings, rewardKeys } from "@millrace/contract";
import { formatCount } from "@millrace/units";
import { messageOf } from "../../../shared/call-api.ts";
import { TextField } from "../../../ui/form/text-field.tsx";
import { WorkButton } from "../../../ui/work-button.tsx";
import { useRewardCallbacks, useSendTestReward, useSetRewards } from "../api.ts";
import { endOfCall, outcomeText } from "./outcome-text.ts";
import { SettingForm } from "./setting-form.tsx";
import classes from "./settings.module.css";
import { useSetting } from "./use-setting.ts";

const LIMIT_SECONDS = 5;

type Draft = Record<"address" | "name" | "amount", string>;

const draftOf = ({ callback_url: url, name, amount }: RewardSettings): Draft => ({
  address: url ?? "",
  name,
  amount: String(amount),
});

/** The settings as typed; the contract's schema refuses an amount that is not a number. */
const settingsOf = ({ address, name, amount }: Draft): RewardSettings => ({
  callback_url: address.trim() === "" ? null : address.trim(),
  name,
  amount: /^\s*\d{1,10}\s*$/.test(amount) ? Number(amount) : Number.NaN,
});

/** What a user earns with a rewarded ad, and the server that is told of it. */
export function Rewards({ settings: { app, rewards, revisions } }: { settings: AppSettings }) {
  const set = useSetRewards(app.uuid);
  const setting = useSetting({
    saved: draftOf(rewards),
    check: (draft) => RewardForm.safeParse(settingsOf(draft)).error?.issues[0]?.message ?? null,
    revision: revisions.rewards,
    save: async (draft, revision) => {
      const now = await set.mutateAsync({ ...settingsOf(draft), revision });
      return { saved: draftOf(now.rewards), revision: now.revisions.rewards };
    },
  });
  const { draft, change, dirty } = setting;
  const input = (name: keyof Draft) => ({
    name,
    value: draft[name],
    error: undefined,
    onChange: (text: string) => change({ ...draft, [name]: text }),
    autoComplete: "off",
  });
  return (
    <SettingForm
      title="Rewards"
      about="What a user earns with a rewarded ad. Your server can be told of each reward by a signed call, so that nobody earns without watching."
      action="Save rewards"
      setting={setting}
    >
      <TextField {...input("name")} label="Reward" description="Such as coins." maxLength={64} />
      <TextField {...input("amount")} label="Amount" inputMode="numeric" maxLength={10} />
      <TextField
        {...input("address")}
        label="Address of your server"
        description="Empty for none. It must be public."
        placeholder="https://game.example/reward"
        inputMode="url"
        spellCheck={false}
        autoCapitalize="none"
        className={classes.wide ?? ""}
      />
      <p className={classes.faint}>
        Calls are signed in AdMob's form. <a href={rewardKeys.path}>Public keys</a>
      </p>
      {rewards.callback_url === null || dirty ? null : <Callbacks uuid={app.uuid} />}
    </SettingForm>
  );
}

/** What became of the calls, and a test of the address. */
function Callbacks({ uuid }: { uuid: string }) {
  const { data } = useRewardCallbacks(uuid, true);
  const test = useSendTestReward(uuid);
  return (
    <div className={classes.part}>
      {data ? (
        <p className={classes.faint}>
          In the last 24 hours: {formatCount(data.delivered)} delivered, {formatCount(data.waiting)} waiting,{" "}
          {formatCount(data.failed)} given up.
          {data.last_failure === null
            ? null
            : ` The last try that failed: ${outcomeText(data.last_failure, LIMIT_SECONDS)}.`}
        </p>
      ) : null}
      <WorkButton size="xs" variant="default" working={test.isPending} onClick={() => test.mutate()}>
        Send a test call
      </WorkButton>
      <p role="status" className={classes.faint}>
        {test.data ? endOfCall(test.data, LIMIT_SECONDS) : null}
        {test.error ? messageOf(test.error) : null}
      </p>
    </div>
  );
}
