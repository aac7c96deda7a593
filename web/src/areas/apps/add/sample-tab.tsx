import { Button } from "@mantine/core";
import { useState } from "react";
import { messageOf } from "../../../shared/call-api.ts";
import { useAddApp } from "../api.ts";
import classes from "./add.module.css";
import { useArrival } from "./use-add-form.ts";

/** Two sample apps to try the product with. */
export function SampleTab({ onAdded }: { onAdded: () => void }) {
  const add = useAddApp();
  const arrive = useArrival(onAdded);
  const [error, setError] = useState<string | null>(null);
  const take = async () => {
    setError(null);
    try {
      await arrive(await add.mutateAsync({ type: "apps", demo: "1" }), false);
    } catch (failure) {
      setError(messageOf(failure));
    }
  };
  return (
    <div className={classes.sample}>
      <p className={classes.about}>
        Two sample apps with a week of made-up figures let you explore every screen. They serve no ads and count for no
        balance, and they and their figures are removed when you add an app of your own.
      </p>
      <Button onClick={() => void take()} loading={add.isPending}>
        Add sample apps
      </Button>
      <p className={classes.error} role="alert">
        {error}
      </p>
    </div>
  );
}
