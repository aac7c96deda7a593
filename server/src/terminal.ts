interface Login {
  label: string;
  email: string;
  password: string;
}

/** Prints the platform's address and the logins. `ready <address>` is for programs that wait for it. */
export function announce(startup: {
  url: string;
  startMs: number;
  logins: readonly Login[];
  /** The mailbox's address with its key; undefined without a mailbox. */
  mailbox: string | undefined;
}): void {
  const { url, startMs, logins, mailbox } = startup;
  const rows = logins.map(({ label, email, password }) => `  ${label.padEnd(11)} ${email.padEnd(22)} ${password}`);
  const pages = [`  SDK demo    ${url}/demo/app`, ...(mailbox === undefined ? [] : [`  Mails       ${mailbox}`])];
  const demo = rows.length === 0 ? [] : ["", "Demo mode. Sign in as", ...rows, ...pages, ""];
  process.stdout.write([`ready ${url} in ${(startMs / 1000).toFixed(1)} s`, ...demo, ""].join("\n"));
}

const BAR_WIDTH = 30;

/** A progress bar in a terminal, and a line per quarter elsewhere. Takes the completed share, 0 to 1. */
export function showProgress(what: string): (share: number) => void {
  let quarter = 0;
  let done = false;
  return (share) => {
    if (done) return;
    done = share >= 1;
    const percent = `${Math.floor(share * 100)}%`;
    if (process.stdout.isTTY) {
      const filled = Math.round(share * BAR_WIDTH);
      const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
      process.stdout.write(`\r${what} ${bar} ${percent.padStart(4)}${done ? "\n" : ""}`);
    } else if (Math.floor(share * 4) > quarter || done) {
      quarter = Math.floor(share * 4);
      process.stdout.write(`${what} ${percent}\n`);
    }
  };
}
