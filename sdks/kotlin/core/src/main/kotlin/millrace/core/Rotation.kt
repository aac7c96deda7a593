package millrace.core

/** Partners forbid refreshing a banner more often, and an auction that sold nothing would sell nothing again. */
private const val SHORTEST_REFRESH_MS = 10_000L

/**
 * Shows ads in one place, one by turn, after [refreshSeconds] (by default the server's value; 0 means never), while it is visible and
 * the app's screen is.
 * After a turn without an ad, whatever its reason, the next comes with backoff.
 */
internal class Rotation(
    private val host: Host,
    private val refreshSeconds: Long?,
    private var isVisible: Boolean,
    private val isScreenSeen: () -> Boolean,
    /** Ends with null if the place was hidden while its ad was loaded: the turn comes again once it can be seen. */
    private val turn: (isSeen: () -> Boolean, done: (Outcome<Shown>?) -> Unit) -> Unit,
) {
    private var isStopped = false
    private var isAsking = false
    private var isOverdue = true
    private var failures = 0

    /** When a turn may follow one that the server had no ad for, in ticks. */
    private var notBefore = 0L
    private var cancel: () -> Unit = {}

    fun setVisible(visible: Boolean) {
        isVisible = visible
        if (visible) wake()
    }

    /** The place is visible again, the app is back, or no full-screen ad covers it any more: an overdue turn comes now. */
    fun wake() {
        if (isOverdue) showNext()
    }

    /**
     * The device is back online: so does a turn that waits after a failure, unless the server has said less than 10 seconds ago that
     * there is no ad.
     */
    fun backOnline() {
        if (isOverdue || (failures > 0 && host.clock.ticks() >= notBefore)) showNext()
    }

    fun stop() {
        isStopped = true
        cancel()
    }

    private fun showNext() {
        if (isStopped || isAsking) return
        isOverdue = !isSeen()
        if (isOverdue) return
        isAsking = true
        cancel()
        turn(::isSeen, ::ended)
    }

    /** False also once the place was given up: its zone may have another one by then. */
    private fun isSeen() = !isStopped && isVisible && isScreenSeen()

    private fun ended(outcome: Outcome<Shown>?) {
        isAsking = false
        isOverdue = outcome == null
        if (outcome == null) return
        val serverSeconds = (outcome as? Outcome.Ok)?.value?.refreshSeconds
        failures = if (serverSeconds == null) failures + 1 else 0
        val isUnsold = (outcome as? Outcome.Failed)?.failure?.code == ErrorCode.NO_AD
        notBefore = host.clock.ticks() + if (isUnsold) SHORTEST_REFRESH_MS else 0
        val refresh = refreshSeconds ?: serverSeconds ?: 0
        if (isStopped || (failures == 0 && refresh <= 0)) return
        val waitMs = if (failures > 0) backoffMs(failures, host) else refresh * 1000
        cancel = host.clock.after(maxOf(SHORTEST_REFRESH_MS, waitMs), ::showNext)
    }
}
