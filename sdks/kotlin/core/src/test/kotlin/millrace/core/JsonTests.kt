package millrace.core

import java.io.File
import java.util.Base64

/**
 * [texts] has one text a line, as Base64 of its UTF-16 (little endian), which can also hold lone surrogates. What the reader makes of each is written
 * beside it, one line each (`!` if it is no JSON), so that another reader can be the judge.
 */
fun jsonTests(texts: File) {
    val suite = Suite("json")
    suite.test("every text is read or refused without an error") {
        val read = texts.readLines().map { line -> Json.read(decoded(line))?.let { rawText(it.value) } ?: "!" }
        File("${texts.path}.read").writeText(read.joinToString("") { "$it\n" })
    }
    suite.test("nesting is limited, in the reader's depth and not in the stack's") {
        expectEqual(Json.read("[".repeat(100) + "]".repeat(100)) != null, true)
        expectEqual(Json.read("[".repeat(1_000_000)), null)
        expectEqual(Json.read("{\"a\":".repeat(1_000_000)), null)
        expectEqual(Json.read("[".repeat(1000) + "]".repeat(1000)), null)
    }
    suite.test("eight megabytes are read in a few seconds, whatever they consist of") {
        for (text in listOf("[${"0,".repeat(4_000_000)}0]", "\"${"\\u0041".repeat(1_400_000)}\"", " ".repeat(8_000_000) + "1", "9".repeat(100_000))) {
            val start = System.nanoTime()
            expectTrue(Json.read(text) != null) { "not read: ${text.take(10)}" }
            expectTrue(System.nanoTime() - start < 20_000_000_000) { "too slow: ${text.take(10)}" }
        }
    }
    suite.test("what is written is read as the same value") {
        val value = mapOf(
            "text" to "a\"b\\c\n\u0001 \u00e9 \ud83d\ude00 \ud800",
            "numbers" to listOf(0.0, -1.5, 1e300, 12345678901.0),
            "words" to listOf(true, false, null),
            "" to emptyMap<String, Any?>(),
        )
        expectEqual(Json.parse(Json.write(value)), value)
        expectEqual(Json.write(mapOf("a" to 1, "b" to null, "c" to Double.NaN)), "{\"a\":1,\"c\":null}")
    }
}

private fun decoded(line: String): String {
    val bytes = Base64.getDecoder().decode(line)
    return String(CharArray(bytes.size / 2) { (bytes[2 * it].toInt() and 255 or (bytes[2 * it + 1].toInt() and 255 shl 8)).toChar() })
}

/** JSON with its nulls, which [Json.write] leaves out of objects. */
internal fun rawText(value: Any?): String = when (value) {
    is Map<*, *> -> value.entries.joinToString(",", "{", "}") { "${Json.write(it.key)}:${rawText(it.value)}" }
    is List<*> -> value.joinToString(",", "[", "]") { rawText(it) }
    else -> Json.write(value)
}
