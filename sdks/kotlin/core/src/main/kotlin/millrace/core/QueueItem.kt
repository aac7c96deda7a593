package millrace.core

/** A beacon (GET) or a JSON message (POST) that waits for its delivery. */
internal class QueueItem(
    val id: String,
    val url: String,
    val body: String?,
    /** When it was added, in epoch milliseconds. */
    val at: Long,
    var tries: Int,
    /** When it may be sent next, in the clock's ticks. */
    var due: Long,
    /** The address of an item without which this one does not count. */
    val after: String? = null,
) {
    /** The item as an event in a batch; null if it must be sent by its own request. */
    var event: BatchEvent? = batchEventOf(url, body)

    /** What is not paid makes room for what is: 0 for a ping, 1 for a loss or what became of an adapter. */
    val worth = when {
        url.endsWith("/ping") -> 0
        "/loss?" in url || "/player?" in url -> 1
        else -> 2
    }

    /** The server has asked for no retry before this time, in ticks. */
    var askedUntil = due
    var isSending = false

    fun toText(): String = Json.write(mapOf("url" to url, "body" to body, "at" to at, "tries" to tries, "after" to after))

    companion object {
        fun read(text: String, id: String, due: Long): QueueItem? {
            val value = Json.parse(text) as? Map<*, *> ?: return null
            val url = value["url"] as? String ?: return null
            val at = value["at"] as? Double ?: return null
            val tries = value["tries"] as? Double ?: return null
            return QueueItem(id, url, value["body"] as? String, at.toLong(), tries.toInt(), due, value["after"] as? String)
        }
    }
}

/** Groups items by request: the events of one platform, or a single item. Leaves out those that are early. */
internal fun groupByRequest(
    ready: List<QueueItem>,
    most: Int,
    isEarly: (item: QueueItem, batch: List<QueueItem>) -> Boolean,
): List<List<QueueItem>> {
    val groups = mutableListOf<MutableList<QueueItem>>()
    val open = mutableMapOf<String, MutableList<QueueItem>>()
    for (item in ready) {
        val platform = item.event?.platform
        val group = platform?.let { open[it] }?.takeIf { it.size < most } ?: mutableListOf()
        if (isEarly(item, group)) continue
        group.add(item)
        if (group.size > 1) continue
        groups.add(group)
        if (platform != null) open[platform] = group
    }
    return groups
}

internal fun requestFor(group: List<QueueItem>, timeoutMs: Long): Outgoing {
    val first = group.first()
    val event = first.event
    if (event == null || group.size == 1) return Outgoing(first.url, first.body, timeoutMs)
    return Outgoing(batchUrl(event.platform), batchBody(group.mapNotNull { it.event }), timeoutMs)
}

/** What becomes of each item of a group after a reply; null if a batch is refused as a whole. */
internal fun verdictsFor(group: List<QueueItem>, reply: Incoming?): List<Delivery>? = when {
    reply == null || isTemporary(reply.status) -> group.map { Delivery.RETRYING }
    group.size > 1 -> if (reply.status == 200) verdictsOf(reply.text, group.size) else null
    else -> listOf(if (reply.status < 400) Delivery.DELIVERED else Delivery.REFUSED)
}

private fun isTemporary(status: Int): Boolean = status >= 500 || status in setOf(408, 425, 429)
