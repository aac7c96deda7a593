import { Button, PasswordInput, TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import "@mantine/core/styles/PasswordInput.css";
import "@mantine/core/styles/ActionIcon.css";
import { TEXTS, login } from "@millrace/contract";
import { Link, useRouter, useSearch } from "@tanstack/react-router";
import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { ApiError, messageOf } from "../../../shared/call-api.ts";
import { ownPath } from "../../../shared/own-path.ts";
import { PATHS } from "../../../shared/paths.ts";
import { BrandMark } from "../../../ui/brand-mark.tsx";
import { useLogin } from "../api.ts";
import classes from "./login-page.module.css";

interface Errors {
  email?: string;
  password?: string;
}

/** Sign-in by e-mail and password. Wrong fields say so under themselves, the server's refusal stands under the button. */
export function LoginPage() {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const router = useRouter();
  const signIn = useLogin();
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Errors>({});
  const wanted = search["redirect_to"];

  useEffect(() => {
    document.title = "Log in · Millrace";
  }, []);
  const wrongFields = Object.keys(errors).join();
  useEffect(() => {
    if (wrongFields === "") return;
    const first = form.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    first?.focus();
    first?.scrollIntoView({ block: "center" });
  }, [wrongFields]);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(event.currentTarget)) as { email: string; password: string };
    const wrong = checkFields(fields);
    setErrors(wrong);
    signIn.reset();
    if (Object.keys(wrong).length > 0) return;
    try {
      const body = typeof wanted === "string" ? { ...fields, redirect_to: wanted } : fields;
      const reply = await signIn.mutateAsync(body);
      router.history.push(ownPath(reply.redirect_to, PATHS.apps));
    } catch (failure) {
      if (failure instanceof ApiError) setErrors(failure.fields);
    }
  };
  const general = wrongFields !== "" ? TEXTS.checkFields : signIn.error ? messageOf(signIn.error) : null;

  return (
    <main className={classes.page}>
      <form ref={form} className={classes.form} noValidate onSubmit={(event) => void submit(event)}>
        <Link to={PATHS.landing} className={classes.brand}>
          <BrandMark /> Millrace
        </Link>
        <h1 tabIndex={-1}>Log in</h1>
        <TextInput
          name="email"
          type="email"
          label="Email"
          autoComplete="username"
          error={errors.email}
          aria-invalid={errors.email !== undefined}
        />
        <PasswordInput
          name="password"
          label="Password"
          autoComplete="current-password"
          error={errors.password}
          aria-invalid={errors.password !== undefined}
          visibilityToggleButtonProps={{ "aria-label": "Show or hide the password", tabIndex: 0 }}
        />
        <Button type="submit" fullWidth loading={signIn.isPending}>
          Log in
        </Button>
        <p className={classes.general} role="alert">
          {general}
        </p>
      </form>
    </main>
  );
}

/** The first message of each wrong field, by the contract's own rules. */
function checkFields(fields: { email: string; password: string }): Errors {
  const checked = login.body.safeParse(fields);
  const errors: Record<string, string> = {};
  for (const issue of checked.error?.issues ?? []) errors[String(issue.path[0])] ??= issue.message;
  return errors;
}
