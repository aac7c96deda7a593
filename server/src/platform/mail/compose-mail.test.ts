import * as fc from "fast-check";
import { expect, test } from "vitest";
import { LIGHT } from "../brand.ts";
import { composeMail } from "./compose-mail.ts";

const content = {
  title: "Reset your password",
  lines: ["Somebody asked for a new password.", "If it was not you, do nothing."],
  button: { label: "Set a new password", url: "https://ads.example.com/ticket/1-2?a=b&c=d" },
  footer: "You have this mail because your address has an account.",
};

/** The text a reader sees of HTML: no tags, entities resolved. */
function shown(html: string): string {
  const names: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
  return html.replaceAll(/<[^>]*>/g, "").replaceAll(/&(#?\w+);/g, (_, name: string) => names[name] ?? "?");
}

/** A text in one line, as a reader sees it. */
const flat = (text: string) => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();

test("any user name is shown as text, in HTML and in plain text", () => {
  const hostile = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom(
      "<script>alert(1)</script>",
      '"><img src=x onerror=alert(1)>',
      "a\r\nBcc: b@example.com",
      "&lt;b&gt;",
    ),
  );
  fc.assert(
    fc.property(hostile, fc.array(hostile), hostile, hostile, (title, lines, label, footer) => {
      const { text, html } = composeMail({ title, lines, button: { label, url: content.button.url }, footer });
      const plain = composeMail({
        title: "",
        lines: lines.flatMap((line) => (flat(line) === "" ? [] : ["a line"])),
        button: { label: "", url: content.button.url },
        footer: "",
      });
      // No text adds a tag, so removing the tags leaves each text unchanged.
      expect(html.match(/</g)).toHaveLength(plain.html.match(/</g)!.length);
      for (const part of [title, ...lines, label, footer]) {
        expect(shown(html)).toContain(flat(part));
        expect(text).toContain(flat(part));
      }
    }),
  );
});

test("the plain text has the same content, with the link on its own line", () => {
  const { text } = composeMail(content);
  expect(text.split("\n")).toContain(content.button.url);
  expect(text.startsWith("Reset your password\n\nSomebody asked")).toBe(true);
  expect(text.endsWith(`-- \n${content.footer}\n`)).toBe(true);
});

test("an empty line makes no paragraph of its own", () => {
  const mail = composeMail({ title: "An answer", lines: ["It is done.", "", " ", "Best wishes"], footer: "Because." });
  expect(mail.text).toContain("It is done.\n\nBest wishes\n\n-- ");
  expect(mail.html.match(/<p /g)).toHaveLength(3);
});

test("a name with line breaks cannot imitate a paragraph or a link", () => {
  const { text, html } = composeMail({ ...content, lines: ["Ada\n\nhttps://evil.example.com\nhas invited you."] });
  expect(text.split("\n")).not.toContain("https://evil.example.com");
  expect(html.match(/<p /g)).toHaveLength(4);
});

test("a mail loads no images or style sheets and runs no scripts", () => {
  const { html } = composeMail(content);
  expect(html).not.toMatch(/<(img|link|style|script|iframe|object)|url\(|@import|\son\w+=/i);
  expect(html.match(/(?:href|src)="[^"]*"/g)).toEqual(['href="https://ads.example.com/ticket/1-2?a=b&amp;c=d"']);
});

test("a mail sets only the colours of the button and the rule, so that it is readable in light and dark", () => {
  const { html } = composeMail(content);
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  expect(html.match(/#[0-9a-f]{6}/g)).toEqual([LIGHT.accentLine, LIGHT.accentFill, "#ffffff", "#8a8f98"]);
});

test("without a button there is no link", () => {
  const { text, html } = composeMail({ title: "Done", lines: ["It is done."], footer: "Bye." });
  expect(html).not.toContain("href");
  expect(text).toBe("Done\n\nIt is done.\n\n-- \nBye.\n");
});

test.each(["javascript:alert(1)", "data:text/html,x", "/ticket/1", "mailto:a@example.com"])(
  "a button never leads to %s",
  (url) => {
    expect(() => composeMail({ ...content, button: { label: "Open", url } })).toThrow(/Invalid URL|must link to http/);
  },
);
