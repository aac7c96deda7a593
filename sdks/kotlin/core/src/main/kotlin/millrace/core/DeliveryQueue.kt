package millrace.core

private const val MAX_ITEMS = 500
private const val MAX_AGE_MS = 3 * 24 * 3_600_000L
private const val MAX_AT_ONCE = 4
private const val SEND_TIMEOUT_MS = 15_000L

/** Far below the server's limits for a request and a burst. */
private const val MAX_IN_BATCH = 100

/** If more items wait, the first retry that is due takes the others along. */
private const val FEW = 3

/**
 * Delivers each item at least once. An item stays, also across restarts, until the server accepts or refuses it, it is three days
 * old, or there are more than 500: then pings go first, and losses before what is paid. The server counts repeats once, so a lost
 * reply does no harm. An item that is due alone goes by its own request; items that are due together (after a restart, when the device is back online, or when more than a few wait) go in one
 * batch. Every item has its own key in storage.
 */
internal class DeliveryQueue(
    private val host: Host,
    private val transport: Transport,
    private val prefix: String,
    private val report: (Delivery, String) -> Unit,
) {
    private val clock = host.clock
    private val items = LinkedHashMap<String, QueueItem>()
    private var sending = 0
    private var added = 0L
    private var pumps = 0L
    private var isClosed = false
    private var cancel: () -> Unit = {}

    init {
        restore()
        dropSurplus()
        // Later, so that the creator is complete first.
        cancel = clock.after(0, ::pump)
    }

    val size: Int get() = items.size

    /**
     * Adds a beacon (GET) or a JSON message (POST). It is stored before it is sent. If the item [after] still waits, both are sent now,
     * and this one never before it.
     */
    fun add(url: String, body: String? = null, after: String? = null) {
        added += 1
        val id = "${base36(clock.now(), 9)}-${base36(added, 5)}-${randomId(host)}"
        val item = QueueItem(id, url, body, clock.now(), 0, clock.ticks(), after)
        if (after != null) for (other in items.values) if (other.url == after) other.due = other.askedUntil
        items[id] = item
        keep(item)
        dropSurplus()
        pump()
    }

    /** Sends everything now, because the device is back online or the app is back; only what the server has deferred waits for its time. */
    fun flush() {
        for (item in items.values) item.due = item.askedUntil
        pump()
    }

    /** Stops sending. Remaining items stay in storage for the next start. */
    fun close() {
        isClosed = true
        cancel()
    }

    private fun keep(item: QueueItem) {
        // Without storage it lives as long as the app's process.
        runCatching { host.storage.set(prefix + item.id, item.toText()) }
    }

    private fun forget(item: QueueItem, outcome: Delivery) {
        items.remove(item.id)
        runCatching { host.storage.remove(prefix + item.id) }
        report(outcome, item.url)
    }

    private fun restore() {
        val keys = runCatching { host.storage.keys() }.getOrDefault(emptyList())
        // Ids start with the time, so sorted keys are in the order of arrival.
        for (key in keys.filter { it.startsWith(prefix) }.sorted()) {
            val text = runCatching { host.storage.get(key) }.getOrNull().orEmpty()
            val item = QueueItem.read(text, key.removePrefix(prefix), clock.ticks())
            if (item != null) items[item.id] = item else runCatching { host.storage.remove(key) }
        }
    }

    private fun dropSurplus() {
        for (item in items.values.sortedBy { it.worth }) {
            val isTooOld = clock.now() - item.at > MAX_AGE_MS
            if (!item.isSending && (isTooOld || items.size > MAX_ITEMS)) forget(item, Delivery.DROPPED)
        }
    }

    private fun pump() {
        if (isClosed) return
        cancel()
        pumps += 1
        val own = pumps
        val now = clock.ticks()
        val idle = items.values.filter { !it.isSending }
        val takesAll = idle.size > FEW && idle.any { it.due <= now && it.tries > 0 }
        val due = idle.filter { it.due <= now || (takesAll && it.askedUntil <= now) }
        for (group in groupByRequest(due, MAX_IN_BATCH, ::isEarly)) {
            if (sending >= MAX_AT_ONCE) return
            send(group)
            // The transport has answered at once, and its reply has sent the rest.
            if (pumps != own) return
        }
        val soonest = items.values.filter { !it.isSending && !isEarly(it, emptyList()) }.minOfOrNull { it.due - now }
        if (soonest != null && !isClosed) cancel = clock.after(maxOf(0, soonest), ::pump)
    }

    /** Whether an item must wait for the one after which it counts, unless it goes behind that one in a batch. */
    private fun isEarly(item: QueueItem, batch: List<QueueItem>): Boolean =
        item.after != null && items.values.any { it.url == item.after && it !in batch }

    private fun send(group: List<QueueItem>) {
        for (item in group) item.isSending = true
        sending += 1
        send(host, transport, requestFor(group, SEND_TIMEOUT_MS)) { outcome ->
            sending -= 1
            // No reply is handled like a temporary error.
            settle(group, (outcome as? Outcome.Ok)?.value)
            dropSurplus()
            pump()
        }
    }

    private fun settle(group: List<QueueItem>, reply: Incoming?) {
        val waitMs = backoffMs(group.maxOf { it.tries } + 1, host)
        val verdicts = verdictsFor(group, reply)
        group.forEachIndexed { index, item ->
            item.isSending = false
            val verdict = verdicts?.get(index)
            when (verdict) {
                // The server refuses this batch or all batches: send each item by its own request.
                null -> item.event = null
                Delivery.RETRYING -> retryLater(item, waitMs, reply?.retryAfterMs ?: 0)
                else -> forget(item, verdict)
            }
        }
    }

    private fun retryLater(item: QueueItem, waitMs: Long, askedMs: Long) {
        item.tries += 1
        item.askedUntil = clock.ticks() + askedMs
        // The same for the whole group, so that it stays together.
        item.due = maxOf(clock.ticks() + waitMs, item.askedUntil)
        // After its end another queue may have delivered the item, and removed it from storage.
        if (!isClosed) keep(item)
        report(Delivery.RETRYING, item.url)
    }
}

private fun base36(number: Long, digits: Int): String = number.toString(36).padStart(digits, '0')
