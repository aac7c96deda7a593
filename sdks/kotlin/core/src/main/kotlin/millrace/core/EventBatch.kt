package millrace.core

/** An event for `POST /sdk/v1/events`, and the base address of its platform. */
internal class BatchEvent(val platform: String, val event: Map<String, Any?>)

private val BEACON = Regex("(.+)/beacon/(impression|click|loss)\\?t=([\\w.~-]+)")
private val ADAPTER_OUTCOME = Regex("(.+)/beacon/player\\?t=([\\w.~-]+)&e=(filled|no_fill|failed|timed_out|not_registered)")
private val PING = Regex("(.+)/sdk/v1/ping")

/** What the server refuses for good. */
private val FINAL = setOf("malformed", "forged", "expired", "session_unknown")

/**
 * Converts a request to an event; null if it must be sent by itself, such as an address with more than its token (a click's
 * destination, the price of an adapter's impression).
 */
internal fun batchEventOf(url: String, body: String?): BatchEvent? {
    if (body == null) {
        BEACON.matchEntire(url)?.destructured?.let { (platform, type, token) ->
            return BatchEvent(platform, mapOf("type" to type, "token" to token))
        }
        return ADAPTER_OUTCOME.matchEntire(url)?.destructured?.let { (platform, token, outcome) ->
            BatchEvent(platform, mapOf("type" to "step", "token" to token, "outcome" to outcome))
        }
    }
    val platform = PING.matchEntire(url)?.groupValues?.get(1) ?: return null
    val ping = Json.parse(body) as? Map<*, *> ?: return null
    return BatchEvent(platform, ping.entries.associate { (name, value) -> name.toString() to value } + ("type" to "ping"))
}

internal fun batchUrl(platform: String): String = "$platform/sdk/v1/events"

internal fun batchBody(events: List<BatchEvent>): String = Json.write(mapOf("events" to events.map { it.event }))

/** The result of each event of a batch, in order. An event without a clear result is sent again. */
internal fun verdictsOf(text: String, count: Int): List<Delivery> {
    val results = (Json.parse(text) as? Map<*, *>)?.get("results") as? List<*>
    val told = if (results?.size == count) results else List(count) { null }
    return told.map { each ->
        val verdict = each as? Map<*, *>
        when {
            verdict?.get("result") == "accepted" || verdict?.get("result") == "duplicate" -> Delivery.DELIVERED
            verdict?.get("result") == "refused" && verdict["code"] in FINAL -> Delivery.REFUSED
            else -> Delivery.RETRYING
        }
    }
}
