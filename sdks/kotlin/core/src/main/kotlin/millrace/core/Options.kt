package millrace.core

const val VERSION = "1.0.0"

enum class Platform(val id: String) {
    ANDROID("android"),
    AMAZON("amazon"),
    ANDROID_TV("androidtv"),
    FIRE_TV("firetv"),
    OTHERS("others"),
}

enum class Format(val id: String) {
    BANNER("banner"),
    INTERSTITIAL("interstitial"),
    VIDEO("video"),
    REWARDED("rewarded"),
    NATIVE("native"),
    AUDIO("audio"),
}

/** The device's facts, by OpenRTB's names. With `lmt` 1 (limited ad tracking) the advertising id [ifa] does not leave the device. */
data class Device(
    val os: String,
    val osv: String? = null,
    val make: String? = null,
    val model: String? = null,
    val ua: String? = null,
    val ifa: String? = null,
    val lmt: Int? = null,
    val language: String? = null,
    val w: Int? = null,
    val h: Int? = null,
    val pxratio: Double? = null,
    /** OpenRTB 2.6 list: connection type (2 wifi, 3 to 7 cellular). */
    val connectiontype: Int? = null,
    /** Of iOS: below 3 the advertising id does not leave the device. */
    val attStatus: Int? = null,
) {
    /** What may leave the device under a consent: without the advertising id if a signal forbids its use. The server withholds more. */
    internal fun toJson(consent: Consent): Map<String, Any?> = mapOf(
        "os" to os.take(32),
        "osv" to osv?.take(32),
        "make" to make?.take(64),
        "model" to model?.take(64),
        "ua" to ua?.take(1024),
        "ifa" to ifa?.take(64)?.takeIf { mayShareId(consent) },
        "lmt" to lmt,
        "att_status" to attStatus,
        "language" to language?.take(16),
        "w" to w?.takeIf { it in 1..MAX_SIDE },
        "h" to h?.takeIf { it in 1..MAX_SIDE },
        "pxratio" to pxratio?.takeIf { it > 0 && it <= 10 },
        "connectiontype" to connectiontype?.takeIf { it in 0..7 },
    )

    private fun mayShareId(consent: Consent): Boolean =
        lmt != 1 &&
            (attStatus ?: ATT_AUTHORIZED) == ATT_AUTHORIZED &&
            consent.coppa != 1 &&
            // US Privacy, third character: opted out of sale.
            consent.usPrivacy?.getOrNull(2)?.uppercaseChar() != 'Y'
}

private const val ATT_AUTHORIZED = 3
internal const val MAX_SIDE = 20_000

class Options(
    /** The app's public key, from its Integrate page. */
    val app: String,
    /** The platform's address, such as `https://ads.example.com`. */
    val endpoint: String,
    val platform: Platform = Platform.ANDROID,
    /** Read once consent is known, before each request. */
    val device: () -> Device,
    val consent: ConsentSource = ConsentSource { it(Consent()) },
    /** The installation's id (UUID). By default the SDK creates and stores one. */
    val installId: String? = null,
    /** The UTC day of that installation's first start, such as `2026-11-19`. The SDK stores it if it creates the id. */
    val firstDay: String? = null,
    /** Test ads: neither counted nor paid, and bidders know. */
    val test: Boolean = false,
    val logLevel: LogLevel = LogLevel.WARN,
    /** The most megabytes of ads that a session may download; no limit by default. */
    val downloadBudgetMb: Double? = null,
    /** Receives every event. A listener that is set here misses none. */
    val onEvent: Listener? = null,
)

data class AdRequest(
    /** Your name for the place: 1 to 64 letters, digits or `_.:-`. */
    val zone: String,
    val format: Format,
    /** The size in device-independent pixels. */
    val w: Int? = null,
    val h: Int? = null,
    /** For a rewarded ad: your user's id, at most 256 characters; sent to your own server with the reward. */
    val userId: String? = null,
    /** What else your server needs to grant the reward, at most 1,024 characters. */
    val customData: String? = null,
    /** Tokens that partners' own SDKs have given for this ad, by the partner's id. Each is told its own alone. */
    val bidderTokens: Map<String, String>? = null,
    /** The limit until `loaded` or `loadFailed`. */
    val timeoutMs: Long = LOAD_LIMIT_MS,
)

/**
 * Whether an ad that was loaded for one request serves another: its reward is for the user that is named, and a banner has its size.
 * Other formats fit themselves to the screen, and that changes its size by itself.
 */
internal fun isSameRequest(a: AdRequest, b: AdRequest): Boolean =
    a.format == b.format && a.userId == b.userId && a.customData == b.customData &&
        (a.format != Format.BANNER || (a.w == b.w && a.h == b.h))

const val LOAD_LIMIT_MS = 10_000L

private val UUID = Regex("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", RegexOption.IGNORE_CASE)
private val ENDPOINT = Regex("https?://[^/].*")
private val ZONE = Regex("(?!\\.{1,2}$)[A-Za-z0-9_.:-]{1,64}")

/** What is wrong with the options, as a sentence; null if they are right. */
internal fun wrongOptions(options: Options): String? = when {
    !UUID.matches(options.app) -> "app must be the key from its Integrate page"
    !ENDPOINT.matches(options.endpoint) -> "endpoint must be an address like https://ads.example.com"
    options.installId != null && !UUID.matches(options.installId) -> "installId must be a UUID"
    options.downloadBudgetMb?.let { it >= 0 } == false -> "downloadBudgetMb must be a number"
    else -> null
}

internal fun wrongRequest(request: AdRequest): String? = when {
    !isZone(request.zone) -> "zone must be 1 to 64 letters, digits or _.:-, not ${request.zone.take(100)}"
    listOfNotNull(request.w, request.h).any { it !in 1..MAX_SIDE } -> "w and h must be from 1 to $MAX_SIDE"
    request.timeoutMs !in 1_000..60_000 -> "timeoutMs must be from 1000 to 60000"
    else -> null
}

internal fun isZone(zone: String): Boolean = ZONE.matches(zone)
