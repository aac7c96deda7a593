/** How a publisher's server verifies a delivery of revenue. The documentation has the same text, which a test runs. */
export const VERIFY_DELIVERY = `import { createPublicKey, verify } from "node:crypto";

/** Whether Millrace has signed this delivery. \`body\` is a Buffer of the request's body, \`headers\` are Node's. */
export async function isGenuine(body, headers, keysUrl) {
  const { keys } = await (await fetch(keysUrl)).json();
  const key = keys.find(({ keyId }) => String(keyId) === headers["millrace-key-id"]);
  const signature = Buffer.from(headers["millrace-signature"] ?? "", "base64url");
  return key !== undefined && verify("sha256", body, createPublicKey(key.pem), signature);
}
`;
