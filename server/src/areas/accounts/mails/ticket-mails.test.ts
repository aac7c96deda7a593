import { expect, test } from "vitest";
import {
  changePassMail,
  hasLoginMail,
  invitationMail,
  notInvitedMail,
  resetPassMail,
  signUpMail,
} from "./ticket-mails.ts";

const sender = {
  publicUrl: "https://ads.example:8443",
  settings: {
    operator: { name: "Example Ads Ltd.", email: undefined, address: undefined },
    social: {},
    intercom: undefined,
    smtpUrl: undefined,
  },
};
const url = "https://ads.example:8443/ticket/a-link";
const hostile = 'Pub" <script>alert(1)</script>\r\nBcc: everyone@example.com';
const ALL = {
  reset: resetPassMail(sender, url),
  change: changePassMail(sender, url),
  signUp: signUpMail(sender, url, null),
  socialSignUp: signUpMail(sender, url, "facebook"),
  hasLogin: hasLoginMail(sender),
  manager: invitationMail(sender, url, { accountName: hostile, role: "manager", apps: null }),
  developer: invitationMail(sender, url, { accountName: hostile, role: "SDEV", apps: [hostile] }),
  notInvited: notInvitedMail(sender, hostile, "manager"),
};

test.each(Object.entries(ALL))("the mail has the operator, the host and its reason: %s", (_name, mail) => {
  for (const body of [mail.text, mail.html]) {
    expect(body).toContain("Example Ads Ltd. runs Millrace at ads.example:8443 and sent you this mail because");
  }
  expect(mail.subject).toMatch(/^[A-Z].{5,60}$/);
});

test.each(Object.entries(ALL))("a user's name stays text in one line: %s", (_name, mail) => {
  expect(mail.html).not.toContain("<script");
  expect(mail.text.split("\n").some((line) => line.startsWith("Bcc"))).toBe(false);
});

test("each link states how long it is valid", () => {
  expect(ALL.reset.text).toContain("within one hour");
  expect(ALL.change.text).toContain("within one hour");
  expect(ALL.signUp.text).toContain("within 24 hours");
  expect(ALL.manager.text).toContain("within 7 days");
});

test("only mails that open something have a link", () => {
  const withLink = Object.entries(ALL).filter(([, mail]) => mail.text.includes(url));
  expect(withLink.map(([name]) => name)).toEqual(["reset", "change", "signUp", "socialSignUp", "manager", "developer"]);
  expect(ALL.hasLogin.text).toContain("https://ads.example:8443/password-recovery");
});

test("a sign-up's mail explains what its link does in which browser, and that a stranger may have typed the address", () => {
  for (const { text } of [ALL.signUp, ALL.socialSignUp]) {
    expect(text).toContain("The link opens the account and signs you in");
    expect(text).toContain("someone else entered your e-mail");
  }
  expect(ALL.signUp.text).toContain("In the browser that signed up, the password chosen there is used");
  expect(ALL.socialSignUp.text).toContain("your Facebook account is linked. In any other browser it is not");
});

test("an invitation names the role", () => {
  expect(ALL.manager.subject).toBe("You are invited as a manager");
  expect(ALL.developer.subject).toBe("You are invited as a developer");
  const mail = invitationMail(sender, url, { accountName: "Studio", role: "SUSR", apps: null });
  expect(mail.text).toContain("invites you to work in it as an administrator.");
});

test.each([
  [["Tide"], "You will see the app Tide."],
  [["Star", "Tide"], "You will see the apps Star and Tide."],
  [["A", "B", "C", "D", "E", "F"], "You will see the apps A, B, C, D, E, and F."],
  [["A", "B", "C", "D", "E", "F", "G"], "You will see the apps A, B, C, D, E, and 2 others."],
])("an invitation names the chosen apps, and counts the rest of many: %j", (apps, sentence) => {
  expect(invitationMail(sender, url, { accountName: "Studio", role: "GST", apps }).text).toContain(sentence);
});

test("an invitation for all apps names none", () => {
  expect(ALL.manager.text).not.toContain("You will see");
});

test("an invitation explains that no one else knows the password", () => {
  expect(ALL.manager.text).toContain("You choose its password there: no one else knows it");
});
