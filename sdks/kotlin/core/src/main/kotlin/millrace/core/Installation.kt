package millrace.core

import java.text.SimpleDateFormat
import java.util.Date
import java.util.Locale
import java.util.TimeZone

/** An installation: its random UUID, and the UTC day of its first start, such as `2026-11-19`. */
internal class Installation(val id: String, firstDay: String?) {
    val firstDay = firstDay?.takeIf { DAY.matches(it) }
}

private val DAY = Regex("\\d{4}-\\d{2}-\\d{2}")
private val ID = Regex("[0-9a-f-]{36}")

/**
 * Reads the installation from storage or creates a new one. The first day is stored together with the id and never later, because an
 * installation whose id the app provides is not new today.
 */
internal fun installation(host: Host, prefix: String, options: Options): Installation {
    if (options.installId != null) return Installation(options.installId, options.firstDay)
    val (idKey, dayKey) = "${prefix}install_id" to "${prefix}first_day"
    // Without storage an installation is new each time.
    val kept = runCatching { host.storage.get(idKey)?.let { Installation(it, host.storage.get(dayKey)) } }.getOrNull()
    if (kept != null && ID.matches(kept.id)) return kept
    val made = Installation(randomId(host), dayOf(host.clock.now()))
    runCatching {
        made.firstDay?.let { host.storage.set(dayKey, it) }
        host.storage.set(idKey, made.id)
    }
    return made
}

private fun dayOf(now: Long): String =
    SimpleDateFormat("yyyy-MM-dd", Locale.ROOT).apply { timeZone = TimeZone.getTimeZone("UTC") }.format(Date(now))

/** A version 4 UUID from the host's random source. */
internal fun randomId(host: Host): String = buildString {
    for (place in "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx") {
        val digit = (host.random() * 16).toInt()
        when (place) {
            'x' -> append(digit.toString(16))
            'y' -> append((digit and 3 or 8).toString(16))
            else -> append(place)
        }
    }
}
