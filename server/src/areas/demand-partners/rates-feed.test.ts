import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { GuardedClient } from "../../platform/outbound/guarded-get.ts";
import { StartError } from "../../platform/start-error.ts";
import { serveHttp } from "../../platform/testing/serve-http.ts";
import { testPostgres } from "../../platform/testing/stores.ts";
import { listRates, noteRates } from "./currency-rates.ts";
import { RatesFeed } from "./rates-feed.ts";
import { readRatesFile } from "./read-rates-file.ts";

const { pool } = await testPostgres();

/** As the European Central Bank writes it. */
const daily = (day: string, dollars = "1.0500") => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<Cube>
		<Cube time='${day}'>
			<Cube currency='USD' rate='${dollars}'/>
			<Cube currency='JPY' rate='150.00'/>
			<Cube currency='GBP' rate='0.84'/>
		</Cube>
	</Cube>
</gesmes:Envelope>`;

test("a daily file per euro becomes dollars per unit", () => {
  expect(readRatesFile(daily("2026-11-20"))).toEqual([
    { currency: "EUR", day: "2026-11-20", usd: 1.05 },
    { currency: "JPY", day: "2026-11-20", usd: 0.007 },
    { currency: "GBP", day: "2026-11-20", usd: 1.25 },
  ]);
});

test.each([
  ["", "an empty file"],
  ["<html>moved</html>", "a page"],
  [daily("2026-11-20").replace("currency='USD'", "currency='CHF'"), "a file without the dollar"],
  [daily("2026-11-20", "0"), "a rate of 0"],
  [daily("2026-13-45"), "no day"],
])("nothing is guessed from %j (%s)", (text) => {
  expect(readRatesFile(text)).toBeNull();
});

test("of a file with several days, only the newest counts", () => {
  const [older] = /<Cube time[\s\S]*?<\/Cube>\s/.exec(daily("2026-11-19", "9")) ?? [""];
  const both = daily("2026-11-20").replace("\n\t</Cube>", `\n${older}\n\t</Cube>`);
  expect(readRatesFile(both)?.[0]).toEqual({ currency: "EUR", day: "2026-11-20", usd: 1.05 });
});

/** Reads a source once at noon of the day; returns the newest rates and what was logged as a warning. */
async function readOnce(source: string, day = "2026-11-20") {
  const warnings: string[] = [];
  const client = new GuardedClient();
  onTestFinished(() => client.close());
  const log = { info: () => undefined, warn: (_: object, text: string) => void warnings.push(text) };
  await new RatesFeed({
    pool,
    clock: { now: () => Date.parse(`${day}T12:00:00Z`) },
    log,
    client,
    source,
  }).read();
  return { rates: (await listRates(pool)).map(({ currency, usd }) => [currency, usd]), warnings };
}

test("rates are read from a file and from an address, and what an admin has entered for the day stays", async () => {
  const file = join(await mkdtemp(join(tmpdir(), "rates-")), "eurofxref-daily.xml");
  await writeFile(file, daily("2026-11-19"));
  expect((await readOnce(file)).rates).toEqual([
    ["EUR", 1.05],
    ["GBP", 1.25],
    ["JPY", 0.007],
  ]);
  await noteRates(pool, [{ currency: "GBP", day: "2026-11-20", usd: 1.3 }], { source: "hand", at: new Date() });
  let text = daily("2026-11-20", "1.06");
  const address = await serveHttp((_, reply) => void reply.end(text));
  expect(await readOnce(address)).toEqual({
    rates: [
      ["EUR", 1.06],
      ["GBP", 1.3],
      ["JPY", expect.closeTo(0.00706667, 6)],
    ],
    warnings: [],
  });
  for (const broken of ["<html>", daily("2026-11-21", "2")]) {
    text = broken;
    const { rates, warnings } = await readOnce(address);
    expect([rates[0], warnings]).toEqual([["EUR", 1.06], [expect.stringContaining("cannot be read")]]);
  }
  expect((await readOnce(`${file}.missing`)).warnings).toHaveLength(1);
});

/** Starts reading a source; returns why it did not. */
async function startedWith(source: string): Promise<unknown> {
  const client = new GuardedClient();
  const log = { info: () => undefined, warn: () => undefined };
  const feed = new RatesFeed({ pool, clock: { now: () => Date.parse("2026-11-20T12:00:00Z") }, log, client, source });
  const failure = await feed.start().catch((error: unknown) => error);
  await feed.stop();
  client.close();
  return failure;
}

test("a path to no file, or to a file without rates, stops the start, and an address that is away does not", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rates-"));
  const file = join(folder, "rates.xml");
  expect(await startedWith(file)).toEqual(
    new StartError(
      `The setting CURRENCY_RATES is wrong: the file cannot be read, ENOENT: no such file or directory, open '${file}'.`,
    ),
  );
  await writeFile(file, "<html>moved</html>");
  expect(await startedWith(file)).toEqual(
    new StartError(`The setting CURRENCY_RATES is wrong: ${file} is no daily file of exchange rates.`),
  );
  await writeFile(file, daily("2026-11-19"));
  expect(await startedWith(file)).toBeUndefined();
  expect(await startedWith("http://127.0.0.1:9/rates.xml")).toBeUndefined();
});
