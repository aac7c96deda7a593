package millrace.core

/** Partners forbid refreshing a banner more often, and an auction that sold nothing would sell nothing again. */
private const val SHORTEST_REFRESH_MS = 10_000L

/**
 * Shows ads in one place, one by turn, after [refreshSeconds] (by default the server's value; 0 means never), while it is visible and
 * the app is not in the background.
 * After a turn without an ad, whatever its reason, the next comes with backoff.
 */
internal class Rotation(
    private val host: Host,
    private val refreshSeconds: Long?,
    private var isVisible: Boolean,
    private val isForeground: () -> Boolean,
    /** Tells the server's refresh time in seconds after an ad, null if there was none. */
    private val turn: (done: (Long?) -> Unit) -> Unit,
) {
    private var isStopped = false
    private var isAsking = false
    private var isOverdue = true
    private var failures = 0
    private var cancel: () -> Unit = {}

    fun setVisible(visible: Boolean) {
        isVisible = visible
        if (visible) wake()
    }

    /** The place is visible again, the app is back, or the device is back online: an overdue turn comes now. */
    fun wake() {
        if (isOverdue || failures > 0) showNext()
    }

    fun stop() {
        isStopped = true
        cancel()
    }

    private fun showNext() {
        isOverdue = true
        if (isStopped || isAsking || !isVisible || !isForeground()) return
        isOverdue = false
        isAsking = true
        cancel()
        turn(::ended)
    }

    private fun ended(serverSeconds: Long?) {
        isAsking = false
        failures = if (serverSeconds == null) failures + 1 else 0
        val refresh = refreshSeconds ?: serverSeconds ?: 0
        if (isStopped || (failures == 0 && refresh <= 0)) return
        val waitMs = if (failures > 0) backoffMs(failures, host) else refresh * 1000
        cancel = host.clock.after(maxOf(SHORTEST_REFRESH_MS, waitMs), ::showNext)
    }
}
