package millrace.core

/** The user's choice, as the consent platform or the system gives it; passed on to the server unchanged. */
data class Consent(
    val gdpr: Int? = null,
    val tcf: String? = null,
    val usPrivacy: String? = null,
    val gpp: String? = null,
    val gppSid: List<Int>? = null,
    val coppa: Int? = null,
) {
    internal fun toJson(): Map<String, Any?> = mapOf(
        "gdpr" to gdpr,
        "tcf" to tcf,
        "us_privacy" to usPrivacy,
        "gpp" to gpp,
        "gpp_sid" to gppSid,
        "coppa" to coppa,
    )
}

/** Asked before each request. Until it calls [known], nothing is read from the device and nothing is sent. */
fun interface ConsentSource {
    fun read(known: (Consent) -> Unit)
}

/**
 * The choice that a consent platform has stored on the device, by the names of IAB's in-app standards: TCF 2.2 (`IABTCF_`), GPP 1.1
 * (`IABGPP_`) and US Privacy 1.0. Null while it is not known: the GDPR applies, or that is not determined yet, and the platform has stored no string.
 * [value] reads a stored value, and [hasPlatform] tells that the app has a consent platform, which then must have determined it.
 */
fun storedConsent(value: (String) -> Any?, hasPlatform: Boolean, coppa: Int? = null): Consent? {
    val gdpr = whole(value("IABTCF_gdprApplies"))?.takeIf { it == 0 || it == 1 }
    val tcf = text(value("IABTCF_TCString"))
    if (if (gdpr == null) hasPlatform else gdpr == 1 && tcf == null) return null
    return Consent(
        gdpr = gdpr,
        tcf = tcf,
        usPrivacy = text(value("IABUSPrivacy_String")),
        gpp = text(value("IABGPP_HDR_GppString")),
        gppSid = sectionsOf(text(value("IABGPP_GppSID"))),
        coppa = coppa,
    )
}

/** The names of the stored values that decide [storedConsent]. */
fun isConsentKey(key: String?): Boolean = key == null || PREFIXES.any(key::startsWith)

private val PREFIXES = listOf("IABTCF_", "IABGPP_", "IABUSPrivacy_")

/** `2_6`: the sections that apply; -1 means that none does. */
private fun sectionsOf(text: String?): List<Int>? =
    text?.split('_')?.mapNotNull { it.toIntOrNull() }?.filter { it > 0 }?.take(MAX_SECTIONS)

private const val MAX_SECTIONS = 50

private fun text(value: Any?): String? = (value as? String)?.takeIf { it.isNotEmpty() }

/** Platforms store numbers also as text. */
private fun whole(value: Any?): Int? = when (value) {
    is Number -> value.toInt()
    is String -> value.toIntOrNull()
    else -> null
}
