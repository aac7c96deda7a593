package millrace.core

fun consentTests() {
    val suite = Suite("consent")
    val read = { values: Map<String, Any>, hasPlatform: Boolean -> storedConsent(values::get, hasPlatform) }
    suite.test("the stored choice is read by the names of IAB's standards") {
        val values = mapOf(
            "IABTCF_gdprApplies" to 1,
            "IABTCF_TCString" to "CPok",
            "IABUSPrivacy_String" to "1YNN",
            "IABGPP_HDR_GppString" to "DBAA",
            "IABGPP_GppSID" to "2_6",
        )
        expectEqual(read(values, true), Consent(gdpr = 1, tcf = "CPok", usPrivacy = "1YNN", gpp = "DBAA", gppSid = listOf(2, 6)))
    }
    suite.test("where the GDPR applies, the choice is not known before there is a string") {
        expectEqual(read(mapOf("IABTCF_gdprApplies" to 1), true), null)
        expectEqual(read(mapOf("IABTCF_gdprApplies" to 1, "IABTCF_TCString" to ""), false), null)
        expectEqual(read(mapOf("IABTCF_gdprApplies" to 0), true), Consent(gdpr = 0))
    }
    suite.test("with a consent platform, nothing is known before it has determined whether the GDPR applies; without one, nothing is waited for") {
        expectEqual(read(emptyMap(), true), null)
        expectEqual(read(emptyMap(), false), Consent())
        expectEqual(storedConsent({ null }, false, coppa = 1), Consent(coppa = 1))
    }
    suite.test("values of other types are read as far as they make sense") {
        expectEqual(read(mapOf("IABTCF_gdprApplies" to "1", "IABTCF_TCString" to "CPok"), true), Consent(gdpr = 1, tcf = "CPok"))
        expectEqual(read(mapOf("IABTCF_gdprApplies" to 7, "IABTCF_TCString" to 5, "IABGPP_GppSID" to "-1_x_8"), false), Consent(gppSid = listOf(8)))
    }
}
