import { createHmac } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { silentLog } from "../../../../platform/log.ts";
import { serveHttp } from "../../../../platform/testing/serve-http.ts";
import type { TipaltiDeps } from "../tipalti-provider.ts";

/** How it treats a call, after it has done what it was asked for. */
type Treatment =
  | "answer"
  | "hang up"
  | "keep silent"
  | "change the protocol"
  | { status: number; body: string; location?: string };

const PAYER = "Studio & Söhne";
const KEY = "a-key-of-the-test";
const ANOTHER_PROTOCOL = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n";

/** Plays Tipalti as it is documented: it checks every signature itself, and does what a test tells it to do wrong. */
export async function someTipalti(deps: Pick<TipaltiDeps, "pool" | "clock">) {
  const tipalti = {
    /** By reference code. */
    payments: new Map<string, { idap: string; amount: string; currency: string; status: string; messages: string[] }>(),
    /** By idap. */
    payees: new Map<string, { method: string; payable: string }>(),
    /** Every order that arrived, by reference code. */
    orders: [] as string[],
    /** Functions that were called with a wrong signature or time. */
    forged: [] as string[],
    /** Notices that it has sent, and all that were sent back to it. */
    notices: new Set<string>(),
    sentBack: [] as string[],
    treat: (_name: string): Treatment => "answer",
    /** What an order's line says, if not that it was submitted. */
    line: null as { status: string; paymentOrderStatus: string; message: string } | null,
  };

  const listener = async (request: IncomingMessage, reply: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const isNotice = request.url === "/notif/ipn.aspx";
    const name = isNotice ? "notice" : (/<soap12:Body><(\w+) xmlns="http:\/\/Tipalti\.org\/">/.exec(text)?.[1] ?? "");
    const answer = isNotice ? verdict(text) : soap(name, resultOf(name, text, request.url ?? ""));
    const treatment = tipalti.treat(name);
    if (treatment === "hang up") reply.destroy();
    else if (treatment === "answer") reply.end(answer);
    else if (treatment === "change the protocol") request.socket.write(ANOTHER_PROTOCOL);
    else if (treatment !== "keep silent")
      reply
        .writeHead(treatment.status, treatment.location === undefined ? {} : { location: treatment.location })
        .end(treatment.body);
  };

  function verdict(notice: string): string {
    tipalti.sentBack.push(notice);
    return tipalti.notices.has(notice) ? "VERIFIED" : "INVALID";
  }

  function resultOf(name: string, text: string, url: string): string {
    const value = (element: string) =>
      unescaped(new RegExp(`<${element}>([^<]*)</${element}>`, "i").exec(text)?.[1] ?? "");
    const time = value("timestamp");
    const signed: Record<string, { path: string; text: string }> = {
      GetExtendedPayeeDetails: { path: "PayeeFunctions", text: PAYER + value("idap") + time },
      GetPODetails: { path: "PayeeFunctions", text: PAYER + value("idap") + time + value("poRefCode") },
      ProcessPayments: { path: "PayerFunctions", text: PAYER + time + value("paymentGroupTitle") },
    };
    const expected = signed[name];
    const isSigned =
      expected !== undefined &&
      url === `/v11/${expected.path}.asmx` &&
      value("payerName") === PAYER &&
      Math.abs(Number(time) - deps.clock.now() / 1000) < 300 &&
      value("key") === createHmac("sha256", Buffer.from(KEY)).update(Buffer.from(expected.text, "utf8")).digest("hex");
    if (!isSigned) {
      tipalti.forged.push(name);
      return error("EncryptionKeyFailedValidation");
    }
    if (name === "GetExtendedPayeeDetails") return payee(value("idap"));
    if (name === "GetPODetails") return payment(value("poRefCode"), value("idap"));
    return order({
      refCode: value("RefCode"),
      idap: value("idap"),
      amount: value("Amount"),
      currency: value("Currency"),
    });
  }

  function payee(idap: string): string {
    const known = tipalti.payees.get(idap);
    if (!known) return error("PayeeUnknown");
    const pair = (key: string, content: string) =>
      `<KeyValuePair><Key>${key}</Key><Value>${content}</Value></KeyValuePair>`;
    return `${error("OK")}<Properties>${pair("Alias", "x")}${pair("PaymentMethod", known.method)}${pair("Payable", known.payable)}<KeyValuePair><Key>Zip</Key></KeyValuePair></Properties>`;
  }

  function payment(refCode: string, idap: string): string {
    const known = tipalti.payments.get(refCode);
    if (known?.idap !== idap) return error("ParameterError");
    const messages = known.messages.map((message) => `<string>${message}</string>`).join("");
    return `${error("OK")}<RefCode>${refCode}</RefCode><POStatus>${known.status}</POStatus><ErrorMessages>${messages}</ErrorMessages>`;
  }

  function order({ refCode, ...asked }: { refCode: string; idap: string; amount: string; currency: string }): string {
    tipalti.orders.push(refCode);
    const line = tipalti.line ?? { status: "OK", paymentOrderStatus: "Submitted", message: "" };
    if (line.status !== "Error")
      tipalti.payments.set(refCode, { ...asked, status: line.paymentOrderStatus, messages: [] });
    return `<errorMessage>OK</errorMessage><errorCode>0</errorCode><linesResults><ExpandedLineResult><status>${line.status}</status><paymentOrderStatus>${line.paymentOrderStatus}</paymentOrderStatus><message>${line.message}</message><refCode>${refCode}</refCode><lineErrorOrWarningType>0</lineErrorOrWarningType></ExpandedLineResult></linesResults>`;
  }

  const url = await serveHttp((request, reply) => void listener(request, reply));
  const account: TipaltiDeps = {
    ...deps,
    log: silentLog,
    payer: PAYER,
    key: KEY,
    hosts: { frame: "https://frame.tipalti.test", api: url, console: url },
    timeoutMs: 1000,
  };
  return { ...account, account, tipalti };
}

const error = (code: string) =>
  `<errorMessage>${code}</errorMessage><errorCode>${code}</errorCode><b xsi:nil="true" /><i xsi:nil="true" />`;

export const soap = (name: string, result: string) => `<?xml version="1.0" encoding="utf-8"?>
<soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema">
  <soap:Body>
    <${name}Response xmlns="http://Tipalti.org/">
      <${name}Result>${result}</${name}Result>
    </${name}Response>
  </soap:Body>
</soap:Envelope>`;

const unescaped = (text: string) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
