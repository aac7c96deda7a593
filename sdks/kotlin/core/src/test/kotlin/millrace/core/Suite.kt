package millrace.core

/** Tests as named functions; their results are lines of JSON, which any runner can read. */
class Suite(private val group: String) {
    /** Runs a test and prints a line with its group, its name and, if it failed, why. */
    fun test(name: String, run: () -> Unit) {
        var failure: String? = null
        try {
            run()
        } catch (thrown: Throwable) {
            failure = "$thrown at ${thrown.stackTrace.firstOrNull { it.fileName?.endsWith("Tests.kt") == true }}"
        }
        println(Json.write(mapOf("group" to group, "name" to name, "failure" to failure)))
    }
}

fun expectEqual(actual: Any?, expected: Any?) {
    if (actual != expected) throw AssertionError("expected $expected, but got $actual")
}

fun expectTrue(condition: Boolean, what: () -> String) {
    if (!condition) throw AssertionError(what())
}
