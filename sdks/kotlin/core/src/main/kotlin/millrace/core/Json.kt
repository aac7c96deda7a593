package millrace.core

/**
 * JSON (RFC 8259) as Kotlin's values: Map, List, String, Double, Boolean and null. Written for answers of strangers: the reader accepts
 * exactly the grammar, and its depth is limited, so that no text can exhaust the stack.
 */
object Json {
    private const val MAX_DEPTH = 200

    /** The value of a text; null also if the text is no JSON. Of equal names in an object, the last counts. */
    fun parse(text: String): Any? = read(text)?.value

    /** Like [parse], and tells the value null from a text that is no JSON. */
    fun read(text: String): Read? =
        try {
            Read(Reader(text).document())
        } catch (_: Malformed) {
            null
        }

    class Read(val value: Any?)

    /** The text of a value. Members that are null are left out, as are values of unknown types. */
    fun write(value: Any?): String = StringBuilder().also { append(it, value) }.toString()

    private fun append(to: StringBuilder, value: Any?) {
        when (value) {
            is String -> quote(to, value)
            is Boolean -> to.append(value)
            is Int, is Long -> to.append(value)
            is Double -> to.append(numberText(value))
            is Map<*, *> -> appendAll(to, '{', '}', value.entries.filter { it.value != null }) { (name, member) ->
                quote(to, name.toString())
                to.append(':')
                append(to, member)
            }
            is Iterable<*> -> appendAll(to, '[', ']', value) { append(to, it) }
            else -> to.append("null")
        }
    }

    private fun <T> appendAll(to: StringBuilder, open: Char, close: Char, items: Iterable<T>, each: (T) -> Unit) {
        to.append(open)
        items.forEachIndexed { index, item ->
            if (index > 0) to.append(',')
            each(item)
        }
        to.append(close)
    }

    private fun numberText(number: Double): String = when {
        number.isNaN() || number.isInfinite() -> "null"
        number == Math.rint(number) && Math.abs(number) < 1e15 -> number.toLong().toString()
        else -> number.toString()
    }

    private fun quote(to: StringBuilder, text: String) {
        to.append('"')
        for (char in text) {
            when {
                char == '"' || char == '\\' -> to.append('\\').append(char)
                // Lone surrogates are no Unicode, and would become question marks on the way.
                char < ' ' || char.isSurrogate() -> to.append("\\u").append(char.code.toString(16).padStart(4, '0'))
                else -> to.append(char)
            }
        }
        to.append('"')
    }

    private class Malformed : Exception()

    private class Reader(private val text: String) {
        private var at = 0

        fun document(): Any? {
            val value = value(0)
            skipSpace()
            if (at < text.length) throw Malformed()
            return value
        }

        private fun value(depth: Int): Any? {
            if (depth > MAX_DEPTH) throw Malformed()
            skipSpace()
            return when (peek()) {
                '{' -> members(depth)
                '[' -> items(depth)
                '"' -> string()
                't' -> word("true", true)
                'f' -> word("false", false)
                'n' -> word("null", null)
                else -> number()
            }
        }

        private fun members(depth: Int): Map<String, Any?> {
            val found = LinkedHashMap<String, Any?>()
            list('}') {
                if (peek() != '"') throw Malformed()
                val name = string()
                skipSpace()
                expect(':')
                found[name] = value(depth + 1)
            }
            return found
        }

        private fun items(depth: Int): List<Any?> {
            val found = ArrayList<Any?>()
            list(']') { found.add(value(depth + 1)) }
            return found
        }

        private fun list(close: Char, item: () -> Unit) {
            at += 1
            skipSpace()
            if (peek() == close) {
                at += 1
                return
            }
            while (true) {
                skipSpace()
                item()
                skipSpace()
                if (peek() == close) break
                expect(',')
            }
            at += 1
        }

        private fun string(): String {
            val made = StringBuilder()
            at += 1
            while (true) {
                val char = next()
                when {
                    char == '"' -> return made.toString()
                    char == '\\' -> made.append(escaped())
                    char < ' ' -> throw Malformed()
                    else -> made.append(char)
                }
            }
        }

        private fun escaped(): Char = when (val char = next()) {
            '"', '\\', '/' -> char
            'b' -> '\b'
            'f' -> '\u000c'
            'n' -> '\n'
            'r' -> '\r'
            't' -> '\t'
            'u' -> {
                var code = 0
                repeat(4) { code = code * 16 + hexOf(next()) }
                code.toChar()
            }
            else -> throw Malformed()
        }

        private fun hexOf(char: Char): Int = when (char) {
            in '0'..'9' -> char - '0'
            in 'a'..'f' -> char - 'a' + 10
            in 'A'..'F' -> char - 'A' + 10
            else -> throw Malformed()
        }

        private fun number(): Double {
            val start = at
            if (peek() == '-') at += 1
            if (peek() == '0') at += 1 else digits()
            if (peek() == '.') {
                at += 1
                digits()
            }
            if (peek() == 'e' || peek() == 'E') {
                at += 1
                if (peek() == '+' || peek() == '-') at += 1
                digits()
            }
            return text.substring(start, at).toDouble()
        }

        private fun digits() {
            val start = at
            while (peek() in '0'..'9') at += 1
            if (at == start) throw Malformed()
        }

        private fun <T> word(word: String, value: T): T {
            if (!text.startsWith(word, at)) throw Malformed()
            at += word.length
            return value
        }

        private fun skipSpace() {
            while (at < text.length && text[at] in " \t\n\r") at += 1
        }

        /** The character at the place of reading; NUL at the end, which no grammar rule allows. */
        private fun peek(): Char = if (at < text.length) text[at] else '\u0000'

        private fun next(): Char = if (at < text.length) text[at++] else throw Malformed()

        private fun expect(char: Char) {
            if (next() != char) throw Malformed()
        }
    }
}
