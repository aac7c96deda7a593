package millrace.core

private const val FIRST_DELAY_MS = 2_000L
private const val LONGEST_DELAY_MS = 10 * 60_000L
private const val MOST_DOUBLINGS = 20

/** The delay after a number of failed tries: it doubles each time, with jitter so that devices do not return all at once. */
internal fun backoffMs(tries: Int, host: Host): Long {
    val full = minOf(LONGEST_DELAY_MS, FIRST_DELAY_MS shl (tries - 1).coerceIn(0, MOST_DOUBLINGS))
    return (full * (0.5 + host.random() / 2)).toLong()
}
