package millrace.core

// Version 1 of the protocol, as far as the SDK relies on it; its JSON Schema is packages/sdk/vectors/protocol.schema.json.

internal class InitReply(
    val session: String,
    val sessionTimeoutSeconds: Long,
    val pingSeconds: Long,
    val latestSdkVersion: String,
    val isDisabled: Boolean,
)

internal class AdReply(
    val auction: String,
    /** What every SDK can show, best first. */
    val ads: List<Step>,
    /** The order of an SDK with adapters. */
    val steps: List<Step>,
    val refreshSeconds: Long,
    val reason: String?,
    /** ISO 3166-1 alpha-2. */
    val country: String,
    /** How long an ad may wait until it is shown. */
    val expiresSeconds: Long,
)

/** Addresses to call: when the ad starts to render, on a click, when a later ad shows, when the reward is earned. */
class Beacons internal constructor(val impression: String, val click: String, val loss: String, val reward: String?)

/** One ad of an answer. [type] is `html`, `mraid`, `vast` or `native` (Native 1.2), or one that a later version adds. */
class Ad internal constructor(
    val provider: String,
    val type: String,
    val content: String,
    val w: Int?,
    val h: Int?,
    val revenueMicros: Long,
    val precision: Precision,
    val reward: Reward,
    val beacons: Beacons,
)

/** One step of the order: an ad, or an adapter to call. */
internal sealed class Step(
    val provider: String,
    val beacons: Beacons,
    /** The publisher's share for one impression; of an adapter, unless its SDK tells what its seller pays. */
    val revenueMicros: Long,
    val precision: Precision,
    val reward: Reward,
) {
    class OfAd(val ad: Ad) : Step(ad.provider, ad.beacons, ad.revenueMicros, ad.precision, ad.reward)

    class OfAdapter(
        provider: String,
        beacons: Beacons,
        revenueMicros: Long,
        precision: Precision,
        reward: Reward,
        val adapter: String,
        val params: Map<String, String>,
        /** The address that is told what became of the adapter. */
        val player: String,
    ) : Step(provider, beacons, revenueMicros, precision, reward)
}

private const val UNKNOWN_COUNTRY = "XX"
private const val DAY_SECONDS = 86_400.0
private const val EXPIRES_SECONDS = 25 * 60L

/** More than the server sends. */
private const val MAX_STEPS = 20
private const val MAX_MARKUP = 2 * 1024 * 1024
private const val MAX_SESSION = 512
private const val MAX_ADDRESS = 16_384

/** Ten thousand dollars for one impression: no honest price. */
private const val MAX_REVENUE_MICROS = 10_000_000_000.0
private const val MAX_EXACT = 9_007_199_254_740_991.0

private val COUNTRY = Regex("[A-Z]{2}")
private val WEB_ADDRESS = Regex("^https?://", RegexOption.IGNORE_CASE)

/**
 * Reads the fields that the SDK relies on, because whoever is on the way can replace a reply (a captive portal answers 200 with a
 * page). Times are clamped. Null if the reply is not from our server.
 */
internal fun readInitReply(json: Any?): InitReply? {
    val reply = record(json)
    val session = text(reply["session"], MAX_SESSION)
    val timeout = count(reply["session_timeout_seconds"])
    val ping = count(reply["ping_seconds"])
    if (session == null || timeout == null || ping == null || reply["zones"] !is List<*>) return null
    return InitReply(
        session = session,
        sessionTimeoutSeconds = timeout.coerceIn(60.0, DAY_SECONDS).toLong(),
        pingSeconds = ping.coerceIn(5.0, DAY_SECONDS).toLong(),
        latestSdkVersion = text(reply["latest_sdk_version"], 32).orEmpty(),
        isDisabled = isSwitchOff(json),
    )
}

/** Like [readInitReply]. Leaves out ads and steps that lack a field needed to show them, and steps of a later version. */
internal fun readAdReply(json: Any?): AdReply? {
    val reply = record(json)
    val auction = text(reply["auction"], 64)
    val offered = reply["ads"] as? List<*>
    if (auction == null || offered == null) return null
    val read = offered.take(MAX_STEPS).map(::readAd)
    val ads = read.filterNotNull().map { Step.OfAd(it) }
    return AdReply(
        auction = auction,
        ads = ads,
        steps = (reply["steps"] as? List<*>)?.take(MAX_STEPS)?.mapNotNull { readStep(it, read) } ?: ads,
        refreshSeconds = count(reply["refresh_seconds"])?.coerceIn(0.0, DAY_SECONDS)?.toLong() ?: 0,
        reason = text(reply["reason"], 1000),
        country = (reply["country"] as? String)?.takeIf { COUNTRY.matches(it) } ?: UNKNOWN_COUNTRY,
        expiresSeconds = count(reply["expires_seconds"])?.coerceIn(1.0, DAY_SECONDS)?.toLong() ?: EXPIRES_SECONDS,
    )
}

/** True if the server has switched the SDK off for this app. */
internal fun isSwitchOff(json: Any?): Boolean = record(json)["disabled"] == true

private fun readStep(json: Any?, ads: List<Ad?>): Step? {
    val step = record(json)
    return when (step["type"]) {
        "ad" -> count(step["ad"])?.takeIf { it == Math.rint(it) && it < ads.size }?.let { ads[it.toInt()] }?.let { Step.OfAd(it) }
        "adapter" -> readAdapterStep(step)
        else -> null
    }
}

private fun readAdapterStep(step: Map<*, *>): Step? {
    val addresses = record(step["beacons"])
    return Step.OfAdapter(
        provider = text(step["provider"], 64) ?: return null,
        beacons = readBeacons(addresses) ?: return null,
        // Answers of earlier versions have the expected CPM only.
        revenueMicros = micros(step["revenue_micros"]) ?: micros(step["expected_micros"])?.let(::perImpression) ?: return null,
        precision = readPrecision(step["precision"], Precision.ESTIMATED),
        reward = readReward(record(step["reward"])),
        adapter = text(step["adapter"], 64) ?: return null,
        params = readParams(record(step["params"])),
        player = webAddress(addresses["player"]) ?: return null,
    )
}

private fun readParams(params: Map<*, *>): Map<String, String> =
    params.entries.filter { it.value is String }.associate { (name, value) -> name.toString() to value.toString() }

/** Micro-dollars for one impression at a CPM. */
internal fun perImpression(cpmMicros: Long): Long = (cpmMicros + 500) / 1000

private fun readPrecision(json: Any?, otherwise: Precision): Precision = Precision.entries.find { it.name.lowercase() == json } ?: otherwise

private fun readReward(reward: Map<*, *>) = Reward(
    name = text(reward["name"], 64) ?: "reward",
    amount = count(reward["amount"])?.takeIf { it <= MAX_EXACT }?.toLong() ?: 1,
)

private fun readAd(json: Any?): Ad? {
    val ad = record(json)
    val markup = record(ad["markup"])
    if (!isSide(ad["w"]) || !isSide(ad["h"])) return null
    return Ad(
        provider = text(ad["provider"], 64) ?: return null,
        type = text(markup["type"], 32) ?: return null,
        content = text(markup["content"], MAX_MARKUP) ?: return null,
        w = count(ad["w"])?.toInt(),
        h = count(ad["h"])?.toInt(),
        revenueMicros = micros(ad["revenue_micros"]) ?: return null,
        precision = readPrecision(ad["precision"], Precision.EXACT),
        reward = readReward(record(ad["reward"])),
        beacons = readBeacons(record(ad["beacons"])) ?: return null,
    )
}

private fun readBeacons(addresses: Map<*, *>): Beacons? = Beacons(
    impression = webAddress(addresses["impression"]) ?: return null,
    click = webAddress(addresses["click"]) ?: return null,
    loss = webAddress(addresses["loss"]) ?: return null,
    reward = webAddress(addresses["reward"]),
)

private fun record(json: Any?): Map<*, *> = json as? Map<*, *> ?: emptyMap<String, Any?>()

private fun text(value: Any?, max: Int): String? = (value as? String)?.takeIf { it.isNotEmpty() && it.length <= max }

private fun count(value: Any?): Double? = (value as? Double)?.takeIf { it >= 0 && it < Double.POSITIVE_INFINITY }

private fun micros(value: Any?): Long? = count(value)?.takeIf { it == Math.rint(it) && it <= MAX_REVENUE_MICROS }?.toLong()

private fun isSide(value: Any?): Boolean = value == null || count(value)?.let { it <= MAX_SIDE } == true

private fun webAddress(value: Any?): String? = text(value, MAX_ADDRESS)?.takeIf { WEB_ADDRESS.containsMatchIn(it) }
