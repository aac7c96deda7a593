import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ResponseReader } from "./response-reader.ts";

const LIMITS = { maxHeadBytes: 1024, maxBodyBytes: 4096 };

/** Feeds a response in pieces through one reused buffer, as sockets do. */
function readIn(pieces: Buffer[], end = false): ResponseReader & { result: string } {
  const reader = new ResponseReader(LIMITS);
  const shared = Buffer.alloc(8192);
  let result = "more";
  for (const piece of pieces) {
    piece.copy(shared);
    if (result === "more") result = reader.read(shared, piece.length);
    shared.fill(0x3f);
  }
  if (end && result === "more") result = reader.end();
  return Object.assign(reader, { result });
}

function cut(bytes: Buffer, cuts: number[]): Buffer[] {
  const places = [...new Set(cuts.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
}

const chunked = (body: Buffer, sizes: number[]) => {
  const parts: Buffer[] = [];
  let at = 0;
  for (let index = 0; at < body.length; index++) {
    const size = Math.max(1, sizes[index % sizes.length] ?? 1);
    const data = body.subarray(at, at + size);
    parts.push(Buffer.from(`${data.length.toString(16)};x=y\r\n`), data, Buffer.from("\r\n"));
    at += size;
  }
  return Buffer.concat([...parts, Buffer.from("0\r\nx-trailer: 1\r\n\r\n")]);
};

test("a body is the same however the network cuts it", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.array(fc.nat(5000), { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
      fc.constantFrom("length", "chunked", "until_close"),
      (text, cuts, sizes, framing) => {
        const body = Buffer.from(text);
        const head =
          framing === "length"
            ? `Content-Length: ${body.length}\r\n`
            : framing === "chunked"
              ? "Transfer-Encoding: chunked\r\n"
              : "";
        const wire = Buffer.concat([
          Buffer.from(`HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\n${head}\r\n`),
          framing === "chunked" ? chunked(body, sizes) : body,
        ]);
        const reader = readIn(cut(wire, cuts), framing === "until_close");
        expect(reader.result).toBe("done");
        expect(reader.text).toBe(body.toString());
        expect(reader.head?.status).toBe(200);
        expect(reader.hasExcess).toBe(false);
        expect(reader.head?.keepAlive).toBe(framing !== "until_close");
      },
    ),
  );
});

test("random bytes never throw and never look like an answer", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 5 }), (pieces) => {
      expect(readIn(pieces.map((piece) => Buffer.from(piece))).result).not.toBe("done");
    }),
  );
});

test("a damaged response ends or waits, it never throws", () => {
  const good = Buffer.from(
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: a\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
  );
  fc.assert(
    fc.property(fc.nat(good.length - 1), fc.nat(255), fc.nat(good.length), (at, byte, cutAt) => {
      const bad = Buffer.from(good);
      bad[at] = byte;
      expect(["more", "done", "failed"]).toContain(readIn([bad.subarray(0, cutAt), bad.subarray(cutAt)]).result);
    }),
  );
});

const failing = (wire: string, end = false) => {
  const reader = readIn([Buffer.from(wire, "latin1")], end);
  return reader.result === "failed" ? reader.failure : reader.result;
};

test("a head that contradicts itself is refused", () => {
  expect(failing("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab")).toBe("not_http");
  expect(failing("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n")).toBe("not_http");
  expect(failing("HTTP/1.1 200 OK\r\nContent-Length: 0x10\r\n\r\n")).toBe("not_http");
  expect(failing("HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n")).toBe("not_http");
  expect(failing("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n")).toBe("not_http");
  expect(failing("HTTP/1.1 200 OK\r\nX: a\r\n Content-Length: 3\r\n\r\nabc")).toBe("not_http");
  expect(failing("HTTP/2 200\r\n\r\n")).toBe("not_http");
  expect(failing("HTTP/1.1 2x0 OK\r\n\r\n")).toBe("not_http");
  expect(failing("HTTP/1.1 101 Switching Protocols\r\n\r\n")).toBe("not_http");
  expect(failing("<html>")).toBe("not_http");
});

test("the same length said twice is one length", () => {
  expect(failing("HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nab")).toBe("done");
});

test("a broken chunk is refused", () => {
  const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  expect(failing(`${head}zz\r\n`)).toBe("not_http");
  expect(failing(`${head}3\r\nabcd\r\n`)).toBe("not_http");
  expect(failing(`${head}3\nabc\r\n`)).toBe("not_http");
  expect(failing(`${head}fffffffff\r\n`)).toBe("not_http");
  expect(failing(`${head}${"a".repeat(5000)}`)).toBe("not_http");
});

test("a head or a body above its limit is refused before it is read", () => {
  expect(failing(`HTTP/1.1 200 OK\r\nx: ${"a".repeat(2000)}`)).toBe("too_large");
  expect(failing(`HTTP/1.1 200 OK\r\nx: ${"a".repeat(2000)}\r\n\r\n`)).toBe("too_large");
  expect(failing("HTTP/1.1 200 OK\r\ncontent-length: 4097\r\n\r\n")).toBe("too_large");
  expect(failing(`HTTP/1.1 200 OK\r\n\r\n${"a".repeat(4097)}`)).toBe("too_large");
  expect(failing(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1001\r\n${"a".repeat(4097)}`)).toBe("too_large");
});

test("an answer cut short is told from a whole one", () => {
  expect(failing("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nabc", true)).toBe("closed_early");
  expect(failing("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nabc", true)).toBe("closed_early");
  expect(failing("HTTP/1.1 200", true)).toBe("closed_early");
  expect(failing("HTTP/1.1 200 OK\r\n\r\nabc", true)).toBe("done");
});

test("bytes after the answer are noticed", () => {
  expect(readIn([Buffer.from("HTTP/1.1 204 No Content\r\n\r\nx")]).hasExcess).toBe(true);
  expect(readIn([Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nab")]).hasExcess).toBe(true);
});

test("a 204 and a 304 have no body, whatever their head says", () => {
  expect(failing("HTTP/1.1 204 No Content\r\ncontent-length: 10\r\n\r\n")).toBe("done");
  expect(failing("HTTP/1.1 304 Not Modified\r\ntransfer-encoding: chunked\r\n\r\n")).toBe("done");
});

test("answers on one connection are read as each alone would be, whatever heads came before", () => {
  const answer = fc.record({
    status: fc.constantFrom("200 OK", "204 No Content", "503 Busy"),
    header: fc.constantFrom("", "x: y\r\n", "content-encoding: gzip\r\n", "connection: close\r\n"),
    body: fc.constantFrom("", "a", "ab", "é"),
    lengthOff: fc.constantFrom(0, 0, 0, 1, -1),
  });
  fc.assert(
    fc.property(fc.array(answer, { minLength: 2, maxLength: 8 }), (answers) => {
      const kept = new ResponseReader(LIMITS);
      for (const { status, header, body, lengthOff } of answers) {
        const length = Math.max(0, Buffer.byteLength(body) + lengthOff);
        const wire = Buffer.from(`HTTP/1.1 ${status}\r\n${header}content-length: ${length}\r\n\r\n${body}`);
        const seen = [kept, new ResponseReader(LIMITS)].map((reader) => {
          reader.reset();
          const result = reader.read(wire, wire.length);
          const { head, headText, text, hasExcess } = reader;
          return { result, head, headText, text, hasExcess, encoded: reader.encoded.toString() };
        });
        expect(seen[0]).toEqual(seen[1]);
      }
    }),
  );
});

test("bodies that arrive at the same time in pieces do not mix, whichever of them end early", () => {
  const body = fc.record({
    bytes: fc.integer({ min: 1, max: LIMITS.maxBodyBytes + 100 }),
    piece: fc.integer({ min: 1, max: 3000 }),
    givenUpAfter: fc.option(fc.nat(4), { nil: Infinity }),
  });
  fc.assert(
    fc.property(fc.array(body, { minLength: 2, maxLength: 12 }), (bodies) => {
      const reading = bodies.map(({ bytes, piece, givenUpAfter }, nth) => {
        const text = String.fromCharCode(97 + nth).repeat(bytes);
        const wire = Buffer.from(`HTTP/1.1 200 OK\r\n\r\n${text}`);
        return {
          text,
          wire,
          piece,
          givenUpAfter,
          reader: new ResponseReader(LIMITS),
          read: 0,
          pieces: 0,
          result: "more",
        };
      });
      const isOpen = (one: (typeof reading)[number]) => one.result === "more" && one.read < one.wire.length;
      while (reading.some(isOpen)) {
        for (const one of reading.filter(isOpen)) {
          if (one.pieces++ >= one.givenUpAfter) {
            one.reader.reset();
            one.result = "given up";
            continue;
          }
          const next = one.wire.subarray(one.read, one.read + one.piece);
          one.read += next.length;
          one.result = one.reader.read(next, next.length);
        }
      }
      for (const { reader, text, result } of reading) {
        if (result !== "more") continue;
        expect(reader.end()).toBe("done");
        expect(reader.text).toBe(text);
      }
      expect(reading.every(({ text, result }) => text.length <= LIMITS.maxBodyBytes || result !== "more")).toBe(true);
    }),
  );
});
