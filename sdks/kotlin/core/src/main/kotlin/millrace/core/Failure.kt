package millrace.core

/** Every code of a failure, with its name in the events of all SDKs. The README of the web SDK explains each. */
enum class ErrorCode(val code: String) {
    OPTIONS("options"),
    NOT_INITIALIZED("not_initialized"),
    DISABLED("disabled"),
    CONSENT_PENDING("consent_pending"),
    NETWORK("network"),
    TIMEOUT("timeout"),
    BLOCKED("blocked"),
    REFUSED("refused"),
    TOO_MANY("too_many"),
    SERVER("server"),
    BAD_REPLY("bad_reply"),
    NO_AD("no_ad"),
    RENDER("render"),
    BUDGET("budget"),
    BUSY("busy"),
    NOT_READY("not_ready"),
    EXPIRED("expired"),
    DESTROYED("destroyed"),
    CALLBACK("callback"),
}

/** An expected failure. [status] is that of the server's answer, if there was one that could not be used. */
data class Failure(val code: ErrorCode, val message: String, val status: Int? = null)

/** How a call ended. */
sealed class Outcome<out T> {
    data class Ok<T>(val value: T) : Outcome<T>()

    data class Failed(val failure: Failure) : Outcome<Nothing>()
}

internal fun failed(code: ErrorCode, message: String): Outcome<Nothing> = Outcome.Failed(Failure(code, message))

/**
 * Runs code that is not ours, and hands what it throws to [failed]. Other companies' ad SDKs also throw errors, such as for a class
 * that the app was not linked with. Only errors of the virtual machine itself go on.
 */
internal inline fun guarded(failed: (Throwable) -> Unit, run: () -> Unit) {
    try {
        run()
    } catch (thrown: Throwable) {
        if (thrown is VirtualMachineError && thrown !is StackOverflowError) throw thrown
        failed(thrown)
    }
}

internal fun messageOf(thrown: Throwable): String = thrown.message?.takeIf { it.isNotEmpty() } ?: thrown.javaClass.simpleName

/**
 * The one outcome of a piece of work: the first that comes of its result, the limit of its time, and its owner's end. The work itself
 * goes on; results after the first are told by [settle], so that whoever made them can clean up.
 */
internal class Limited<T>(
    clock: Clock,
    limitMs: Long,
    late: () -> Failure,
    private val done: (Outcome<T>) -> Unit,
) {
    var isOpen = true
        private set
    private var cancel: () -> Unit = {}

    init {
        cancel = clock.after(limitMs) { settle(Outcome.Failed(late())) }
    }

    /** False if there was an outcome before. */
    fun settle(outcome: Outcome<T>): Boolean {
        if (!isOpen) return false
        isOpen = false
        cancel()
        done(outcome)
        return true
    }
}
