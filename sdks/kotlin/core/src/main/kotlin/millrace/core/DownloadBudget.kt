package millrace.core

/** The bytes of ads that a session may still download. Callable on any thread. */
class DownloadBudget internal constructor(megabytes: Double?) {
    private val full = megabytes?.let { it * 1_000_000 } ?: Double.POSITIVE_INFINITY
    private var left = full

    /** Takes bytes from the budget; false, and takes none, if too few are left. */
    @Synchronized
    fun take(bytes: Long): Boolean {
        if (bytes > left) return false
        left -= bytes
        return true
    }

    @get:Synchronized
    val isUsedUp: Boolean
        get() = left <= 0

    /** Null without a limit. */
    @get:Synchronized
    val leftBytes: Long?
        get() = left.takeIf { it < Double.POSITIVE_INFINITY }?.toLong()

    /** A new session has begun. */
    @Synchronized
    internal fun refill() {
        left = full
    }
}

internal val BUDGET_USED = Failure(ErrorCode.BUDGET, "The session's download budget is used up")
