import { mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import PostalMime from "postal-mime";
import { afterEach, beforeEach, expect, test } from "vitest";
import { silentLog } from "../log.ts";
import { composeMail } from "./compose-mail.ts";
import { findMail, openMailer, readMailbox } from "./index.ts";
import { deleteMailOf } from "./read-mailbox.ts";

let dir: string;
beforeEach(async () => {
  dir = join(await mkdtemp(join(tmpdir(), "mailbox-")), "mail");
});
afterEach(() => rm(join(dir, ".."), { recursive: true, force: true }));

const at = Date.parse("2030-01-02T03:04:05.678Z");
const open = (from = "Millrace <no-reply@localhost>") =>
  openMailer({
    smtpUrl: undefined,
    from,
    dir,
    log: silentLog,
    clock: { now: () => at },
  });
const messageName = async () => (await readdir(dir)).toSorted().findLast((name) => name.endsWith(".eml")) ?? "";
const newestMessage = async () => PostalMime.parse(await readFile(join(dir, await messageName())));
const mail = { to: "ada@example.com", subject: "Hello", text: "Hello, Ada.\n", html: "<p>Hello, Ada.</p>\n" };

test("a mail is stored as a message and its content, in private files named by time", async () => {
  const mailer = await open();
  await mailer.send(mail);
  const names = (await readdir(dir)).toSorted();
  expect(names.join()).toMatch(/^20300102T030405678Z-([0-9a-f]{16})\.eml,20300102T030405678Z-\1\.json$/);
  for (const name of names) expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600);
  expect((await stat(dir)).mode & 0o777).toBe(0o700);
});

test("the file is a message with HTML and text that mail programs open", async () => {
  const mailer = await open();
  await mailer.send(mail);
  const name = await messageName();
  const source = await readFile(join(dir, name), "utf8");
  const head = source.slice(0, source.indexOf("\r\n\r\n"));
  expect(head).toMatch(/^From: Millrace <no-reply@localhost>\r$/m);
  expect(head).toMatch(/^To: ada@example\.com\r$/m);
  expect(head).toMatch(/^Subject: Hello\r$/m);
  expect(head).toMatch(/^Date: Wed, 02 Jan 2030 03:04:05 \+0000\r$/m);
  expect(head).toMatch(/^Message-ID: <\S+@localhost>\r$/m);
  expect(head).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(head).toMatch(/^MIME-Version: 1\.0/m);
  expect(source.match(/^Content-Type: (text\/plain|text\/html|multipart\/alternative)/gm)).toHaveLength(3);
});

test.each([
  ["Millrace, Ads & Co <ads@example.com>", '"Millrace, Ads & Co" <ads@example.com>'],
  ['"Millrace" <ads@example.com>', "Millrace <ads@example.com>"],
  ["ads@example.com", "ads@example.com"],
])("mails from %s have exactly that sender", async (from, header) => {
  await (await open(from)).send(mail);
  const name = await messageName();
  expect(await readFile(join(dir, name), "utf8")).toContain(`From: ${header}\r\n`);
});

test("an attached file is whole in the message, and its name is read with the mail", async () => {
  const content = Buffer.from(Array.from({ length: 1000 }, (_, nth) => nth % 256));
  await (await open()).send({ ...mail, attachments: [{ name: "Payout-statement-2026-10.pdf", content }] });
  expect((await readMailbox(dir))[0]?.attachments).toEqual(["Payout-statement-2026-10.pdf"]);
  const [file] = (await newestMessage()).attachments;
  expect([file?.filename, Buffer.from(file?.content as ArrayBuffer).equals(content)]).toEqual([
    "Payout-statement-2026-10.pdf",
    true,
  ]);
});

test("mails are read newest first, and simultaneous mails keep their order", async () => {
  const mailer = await open();
  for (const subject of ["one", "two", "three"]) await mailer.send({ ...mail, subject });
  const read = await readMailbox(dir);
  expect(read.map(({ subject }) => subject)).toEqual(["three", "two", "one"]);
  expect(read[2]).toMatchObject({ ...mail, subject: "one", date: "2030-01-02T03:04:05.678Z", links: [] });
  expect(await findMail(dir, read[1]!.id)).toEqual(read[1]);
  expect((await readMailbox(dir, { limit: 2 })).map(({ subject }) => subject)).toEqual(["three", "two"]);
});

test("for any texts, another mail parser reads the same content from the message", async () => {
  const mailer = await open();
  const hostile = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 200 }),
    fc.string({ unit: fc.constantFrom("=", "?", "_", " ", "é", "😀", "<", "=?UTF-8?Q?", "?=", "-"), maxLength: 80 }),
    fc.constantFrom("<script>alert(1)</script>", "=3D=0A", "x".repeat(2000)),
  );
  const looksEncoded = ["=?UTF-8?Q?=?=", "=?utf-8?B?PGI+?= =?utf-8?B?PGI+?=", "é =?UTF-8?Q?=41?="];
  for (const subject of looksEncoded) {
    await mailer.send({ to: "ada@example.com", subject, text: "Hi.\n", html: "<p>Hi.</p>\n" });
    expect((await readMailbox(dir, { limit: 1 }))[0]?.subject).toBe(subject);
    expect((await newestMessage()).subject).toBe(subject);
  }
  const spaced = (line = "") => line.replaceAll(/\s+/g, " ");
  const clean = (text: string) => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
  await fc.assert(
    fc.asyncProperty(hostile, fc.array(hostile, { maxLength: 5 }), async (subject, lines) => {
      const { text, html } = composeMail({ title: subject, lines, footer: "Bye." });
      await mailer.send({ to: "ada@example.com", subject, text, html });
      const [kept] = await readMailbox(dir, { limit: 1 });
      expect(kept).toMatchObject({ to: "ada@example.com", subject: clean(subject), text, html });
      const message = await newestMessage();
      expect(message.to).toEqual([{ name: "", address: "ada@example.com" }]);
      expect(spaced(message.subject)).toBe(spaced(clean(subject)));
      expect([message.text?.trimEnd(), message.html?.trimEnd()]).toEqual([text.trimEnd(), html.trimEnd()]);
    }),
    { numRuns: 150 },
  );
}, 60_000);

test.each([
  ["a second header", "Hi\r\nBcc: eve@example.com"],
  ["a second body", "Hi\r\n\r\n<script>alert(1)</script>"],
  ["a lone line feed", "Hi\nBcc: eve@example.com"],
])("a subject with %s stays a subject", async (_, subject) => {
  const mailer = await open();
  await mailer.send({ ...mail, subject });
  const [kept] = await readMailbox(dir);
  expect(kept?.subject).toBe(subject.replaceAll(/[\r\n]+/g, " "));
  expect(kept?.text).toBe(mail.text);
  const name = await messageName();
  expect(await readFile(join(dir, name), "utf8")).not.toMatch(/^Bcc:/m);
});

test.each([
  "ada@example.com, eve@example.com",
  "ada@example.com\r\nBcc: eve@example.com",
  "Ada <ada@example.com>",
  "ada@example.com>",
  "undisclosed: eve@example.com;",
  "ada",
  "",
  `${"a".repeat(300)}@example.com`,
])("%j is not an address to send to", async (to) => {
  const mailer = await open();
  await expect(mailer.send({ ...mail, to })).rejects.toThrow("no valid address");
  expect(await readdir(dir)).toEqual([]);
});

test("the links of a mail are stored next to it", async () => {
  const mailer = await open();
  await mailer.send({ ...mail, text: "Open this:\nhttps://ads.example.com/ticket/1-2\nor http://a.example/b?c=d\n" });
  expect((await readMailbox(dir))[0]?.links).toEqual(["https://ads.example.com/ticket/1-2", "http://a.example/b?c=d"]);
});

test("broken and foreign files in the mailbox are skipped", async () => {
  const mailer = await open();
  await mailer.send(mail);
  await writeFile(join(dir, "20310102T030405678Z-0123456789abcdef.json"), "no JSON");
  await writeFile(join(dir, "20310102T030405678Z-0123456789abcdee.json"), '{"to":"ada@example.com"}');
  await writeFile(join(dir, "20310102T030405678Z-0123456789abcded.eml"), "To: ada@example.com");
  await writeFile(join(dir, "20310102.json"), "{}");
  await writeFile(join(dir, "notes.txt"), "To: ada@example.com");
  expect(await readMailbox(dir)).toHaveLength(1);
  expect(await readMailbox(join(dir, "nowhere"))).toEqual([]);
  for (const id of ["../secret", "20310102T030405678Z-0123456789abcdef", "", "../mail/20310102"]) {
    expect(await findMail(dir, id)).toBeNull();
  }
});

test("deleting an address deletes all of its mails and no others", async () => {
  const mailer = await open();
  for (const to of ["ada@example.com", "eve@example.com", "ADA@example.com", "ada@example.community"]) {
    await mailer.send({ ...mail, to });
  }
  await writeFile(join(dir, "20310102T030405678Z-0123456789abcdef.eml"), "To: Ada@example.com\r\nbroken");
  expect(await deleteMailOf(dir, ["Ada@Example.com"])).toBe(3);
  expect((await readMailbox(dir)).map(({ to }) => to)).toEqual(["ada@example.community", "eve@example.com"]);
  expect(await readdir(dir)).toHaveLength(4);
  expect(await mailer.forget(["eve@example.com"])).toBe(1);
  expect(await deleteMailOf(join(dir, "nowhere"), ["ada@example.com"])).toBe(0);
});

test("mails that mention the address are deleted too, alone or together with a given text", async () => {
  const mailer = await open();
  const to = "support@example.com";
  await mailer.send({ ...mail, to, subject: "1", text: "From: Ada <Ada@example.com>, owner" });
  await mailer.send({ ...mail, to, subject: "2", text: "From ada@example.com." });
  await mailer.send({ ...mail, to, subject: "3", text: "From granada@example.com, and ada@example.com.ua" });
  await mailer.send({ ...mail, to, subject: "4", text: 'The account "Ada & Sons" invites you' });
  expect(await deleteMailOf(dir, ["ada@example.com", "nobody@example.com"])).toBe(2);
  expect(await deleteMailOf(dir, [to], '"Ada & Sons"')).toBe(1);
  expect((await readMailbox(dir)).map(({ subject }) => subject)).toEqual(["3"]);
});

test("unfinished files of a killed platform are deleted at the next start", async () => {
  await open();
  await writeFile(join(dir, "20310102T030405678Z-0123456789abcdef.tmp"), "To: ada@exam");
  await open();
  expect(await readdir(dir)).toEqual([]);
});
