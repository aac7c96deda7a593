package millrace.core

private val INFO = AdInfo("level_end", Format.INTERSTITIAL, "alpha", "0b8f0a0e-5a5e-4d0c-9c53-6f6b1f0f7a11")

fun sdkTests() {
    val suite = Suite("sdk")
    suite.test("an ad is loaded, shown, clicked and closed, with one event each, in this order") {
        val bench = Bench()
        expectEqual(bench.start(), Outcome.Ok(SdkEvent.Initialized("1.0.0")))
        expectEqual(bench.sdk.isAdReady("level_end"), false)
        expectEqual(bench.load(), Outcome.Ok(INFO))
        expectEqual(bench.sdk.isAdReady("level_end"), true)
        expectEqual(bench.show().code, "ok")
        val ad = bench.ads.getValue("alpha")
        repeat(2) { ad.events.clicked() }
        repeat(2) { ad.events.hidden() }
        ad.events.clicked()
        bench.host.advance(1)
        expectEqual(bench.sdk.isAdReady("level_end"), false)
        expectEqual(
            bench.events.filter { it !is SdkEvent.Delivered },
            listOf(
                SdkEvent.Initialized("1.0.0"),
                SdkEvent.Requested("level_end", Format.INTERSTITIAL),
                SdkEvent.Loaded(INFO),
                SdkEvent.Displayed(INFO),
                SdkEvent.RevenuePaid(INFO, 1500, Precision.EXACT, "DE"),
                SdkEvent.Clicked(INFO),
                SdkEvent.Hidden(INFO),
            ),
        )
        expectEqual(bench.beacons(), listOf("click/alpha", "impression/alpha"))
        expectEqual(bench.waiting(), 0)
    }
    suite.test("the first ad that shows gets impression and revenue, those before it get a loss, and those after it nothing") {
        val bench = Bench()
        bench.answerAds("unknown", "alpha", "throws", "broken", "beta", "gamma")
        bench.fates += mapOf("unknown" to Fate.NOT_PREPARED, "alpha" to Fate.NOT_SHOWN, "throws" to Fate.THROWS_AT_SHOW, "broken" to Fate.THROWS)
        bench.start()
        bench.load()
        expectEqual(bench.show().let { (it as Outcome.Ok).value.ad.network }, "beta")
        bench.host.advance(1)
        expectEqual(bench.beacons(), listOf("impression/beta", "loss/alpha", "loss/broken", "loss/throws", "loss/unknown"))
        expectEqual(bench.of<SdkEvent.RevenuePaid>().size, 1)
        expectEqual(bench.ads.getValue("alpha").destroyed, 1)
    }
    suite.test("an ad that arrives too late is a failure, and is not shown later") {
        val bench = Bench()
        bench.start()
        bench.answer = { null }
        var outcome: Outcome<AdInfo>? = null
        bench.sdk.loadAd(Bench.INTERSTITIAL.copy(timeoutMs = 1000)) { outcome = it }
        bench.host.advance(999)
        expectEqual(outcome, null)
        bench.host.advance(1)
        expectEqual(outcome.code, "timeout")
        bench.host.advance(60_000)
        expectEqual(bench.sdk.isAdReady("level_end"), false)
        expectEqual(bench.of<SdkEvent.LoadFailed>().size, 1)
    }
    suite.test("a step that takes too long is passed over, and destroyed if it comes after all") {
        val bench = Bench()
        bench.answerAds("slow", "beta")
        bench.fates["slow"] = Fate.NEVER_PREPARED
        bench.start()
        var outcome: Outcome<AdInfo>? = null
        bench.sdk.loadAd(Bench.INTERSTITIAL) { outcome = it }
        bench.host.advance(4000)
        expectEqual((outcome as Outcome.Ok).value.network, "beta")
    }
    suite.test("an expired ad never shows, on whichever clock its time has passed") {
        val bench = Bench()
        bench.answerAds("alpha", more = mapOf("expires_seconds" to 60))
        bench.start()
        bench.load()
        bench.host.advance(59_000)
        expectEqual(bench.sdk.isAdReady("level_end"), true)
        bench.host.advance(1000)
        expectEqual(bench.sdk.isAdReady("level_end"), false)
        expectEqual(bench.show().code, "expired")
        bench.load()
        bench.host.clock.set(bench.host.clock.now() + 61_000)
        expectEqual(bench.show().code, "expired")
        expectEqual(bench.beacons(), emptyList<String>())
    }
    suite.test("each misuse has its code") {
        val bench = Bench()
        expectEqual(bench.load().code, "not_initialized")
        expectEqual(bench.show().code, "not_initialized")
        expectEqual(bench.start(bench.options(app = "nobody")).code, "options")
        expectEqual(bench.load().code, "not_initialized")
        bench.start()
        for (zone in listOf("no such zone!", "", ".", "..", "x".repeat(65))) expectEqual(bench.load(Bench.INTERSTITIAL.copy(zone = zone)).code, "options")
        expectEqual(bench.load(Bench.INTERSTITIAL.copy(w = 0)).code, "options")
        expectEqual(bench.load(Bench.INTERSTITIAL.copy(timeoutMs = 0)).code, "options")
        expectEqual(bench.show().code, "not_ready")
        bench.sdk.loadAd(Bench.INTERSTITIAL)
        expectEqual(bench.load().code, "busy")
        val first = bench.ads.getValue("alpha")
        bench.load(Bench.INTERSTITIAL.copy(zone = "other"))
        expectEqual(bench.show().code, "ok")
        expectEqual(bench.load(Bench.INTERSTITIAL.copy(zone = "other")).code, "ok")
        expectEqual(bench.show("other").code, "busy")
        first.events.hidden()
        bench.sdk.destroyAd("level_end")
        bench.host.settle()
        expectEqual(bench.of<SdkEvent.Hidden>().size, 1)
        expectEqual(bench.show("other").code, "ok")
    }
    suite.test("a loaded zone is not requested again, and a destroyed one gives everything up") {
        val bench = Bench()
        bench.start()
        bench.load()
        expectEqual(bench.load().code, "ok")
        expectEqual(bench.bodies("/ad").size, 1)
        bench.sdk.destroyAd("level_end")
        bench.host.settle()
        expectEqual(bench.ads.getValue("alpha").destroyed, 1)
        expectEqual(bench.sdk.isAdReady("level_end"), false)
        var outcome: Outcome<AdInfo>? = null
        bench.answer = { null }
        bench.sdk.loadAd(Bench.INTERSTITIAL) { outcome = it }
        bench.sdk.destroyAd("level_end")
        bench.host.settle()
        expectEqual(outcome.code, "destroyed")
    }
    suite.test("an ad that was loaded for one user is not kept for another, nor a banner for another size") {
        val bench = Bench()
        bench.start()
        val rewarded = AdRequest("level_end", Format.REWARDED, 320, 480, userId = "ada", customData = "level 1")
        bench.load(rewarded)
        // The screen has another size by now.
        bench.load(rewarded.copy(h = 424))
        expectEqual(bench.bodies("/ad").size, 1)
        val first = bench.ads.getValue("alpha")
        expectEqual(bench.load(rewarded.copy(customData = "level 2")).code to bench.bodies("/ad").size, "ok" to 2)
        expectEqual(first.destroyed, 1)
        bench.answerAds()
        expectEqual(bench.load(rewarded.copy(userId = "grace")).code to bench.sdk.isAdReady("level_end"), "no_ad" to false)
        bench.answerAds("alpha")
        val sizes = listOf(320 to 50, 320 to 50, 300 to 250)
        for ((w, h) in sizes) bench.load(AdRequest("home", Format.BANNER, w, h))
        expectEqual(bench.bodies("/ad").size, 5)
    }
    suite.test("an ad that is destroyed before it is on the screen is not counted") {
        val bench = Bench()
        bench.fates["alpha"] = Fate.SHOWN_LATER
        bench.start()
        bench.load()
        var outcome: Outcome<Shown>? = null
        bench.sdk.showAd("level_end", TestPlace()) { outcome = it }
        bench.host.settle()
        bench.sdk.destroyAd("level_end")
        bench.ads.getValue("alpha").showNow()
        bench.host.advance(20_000)
        expectEqual(outcome.code, "destroyed")
        expectEqual(bench.of<SdkEvent.RevenuePaid>(), emptyList<SdkEvent>())
        expectEqual(bench.waiting(), 0)
        bench.fates.clear()
        bench.load()
        expectEqual(bench.show().code, "ok")
    }
    val givenUp = listOf<Pair<String, (Bench) -> Unit>>(
        "destroyAd" to { it.sdk.destroyAd("level_end") },
        "shutdown" to { it.sdk.shutdown() },
        "the server's switch" to { bench ->
            bench.answer = { Bench.ok(mapOf("ok" to true, "disabled" to true)) }
            bench.sdk.foreground()
            bench.host.advance(1_500)
            bench.sdk.background()
        },
    )
    for ((name, giveUp) in givenUp) suite.test("an ad that becomes ready after $name is not shown in place of one that could not be") {
        val bench = Bench()
        bench.answerAds("alpha", "beta")
        bench.fates["alpha"] = Fate.NOT_SHOWN
        bench.late = "beta"
        bench.start()
        bench.load()
        var outcome: Outcome<Shown>? = null
        bench.sdk.showAd("level_end", TestPlace()) { outcome = it }
        bench.host.settle()
        expectEqual(outcome, null)
        giveUp(bench)
        bench.host.settle()
        bench.prepareNow()
        bench.host.settle()
        expectEqual(outcome.code, "destroyed")
        expectEqual(bench.ads.getValue("beta").let { it.isPut to it.destroyed }, false to 1)
    }
    suite.test("only a rewarded ad gives a reward, once, and before it is closed") {
        val bench = Bench()
        bench.answerAds("alpha")
        bench.start()
        for (format in listOf(Format.INTERSTITIAL, Format.REWARDED)) {
            bench.load(AdRequest(format.id, format, userId = "player-7", customData = "level=3"))
            bench.show(format.id)
            repeat(2) { bench.ads.getValue("alpha").events.rewarded() }
            bench.ads.getValue("alpha").events.hidden()
            bench.host.settle()
        }
        expectEqual(bench.of<SdkEvent.RewardReceived>().map { it.ad.zone to it.reward }, listOf("rewarded" to Reward("reward", 1)))
        expectTrue(bench.events.indexOfLast { it is SdkEvent.RewardReceived } < bench.events.indexOfLast { it is SdkEvent.Hidden }) { "the reward comes late" }
        expectEqual(bench.bodies("/ad").map { it["user_id"] to it["custom_data"] }.toSet(), setOf("player-7" to "level=3"))
    }
    suite.test("tokens of partners' own SDKs travel with the request for an ad") {
        val bench = Bench()
        bench.answerAds("alpha")
        bench.start()
        bench.load(AdRequest("life", Format.REWARDED, bidderTokens = mapOf("vungle" to "token-1")))
        expectEqual(bench.bodies("/ad").map { it["bidder_tokens"] }, listOf(mapOf("vungle" to "token-1")))
    }
    suite.test("the server's switch ends all ads at its next answer, whichever that is, and the next session begins without it") {
        val bench = Bench()
        bench.start()
        bench.sdk.foreground()
        bench.load()
        bench.show()
        bench.load()
        bench.answer = { Bench.ok(if (it.url.endsWith("/ping")) mapOf("ok" to true, "disabled" to true) else Bench.initReply()) }
        bench.host.advance(30_000)
        expectEqual(bench.of<SdkEvent.Hidden>().size, 1)
        expectEqual(bench.sdk.isAdReady("level_end"), false)
        val asked = bench.bodies("/ad").size
        expectEqual(bench.load().code, "disabled")
        expectEqual(bench.show().code, "disabled")
        expectEqual(bench.bodies("/ad").size, asked)
        bench.sdk.background()
        bench.answerAds("alpha")
        bench.host.advance(31 * 60_000)
        bench.sdk.foreground()
        bench.host.settle()
        expectEqual(bench.load().code, "ok")
    }
    suite.test("a session's downloads end at its budget, and the next session has another") {
        val bench = Bench()
        bench.answer = { Bench.ok(if (it.url.endsWith("/init")) Bench.initReply() else Bench.adReply(listOf(Bench.ad("big", "x".repeat(600))))) }
        bench.start(bench.options(budgetMb = 0.001))
        expectEqual(bench.load().code, "ok")
        bench.sdk.destroyAd("level_end")
        expectEqual(bench.load().code, "budget")
        bench.host.advance(31 * 60_000)
        expectEqual(bench.load().code, "ok")
    }
    suite.test("test ads are requested as such") {
        val bench = Bench()
        bench.start(bench.options(test = true))
        bench.load()
        expectEqual(bench.bodies("/ad").single()["test"], 1.0)
    }
    suite.test("functions of the app that throw affect neither the app nor the ads, and are reported once each") {
        val bench = Bench()
        val heard = mutableListOf<SdkEvent>()
        bench.sdk.addListener { if (it is SdkEvent.Loaded || it is SdkEvent.CallbackFailed) error("in the app") }
        val remove = bench.sdk.addListener { heard.add(it) }
        bench.start()
        bench.sdk.loadAd(Bench.INTERSTITIAL) { throw NoSuchElementException("also in the app") }
        bench.host.settle()
        expectEqual(bench.sdk.isAdReady("level_end"), true)
        expectEqual(bench.of<SdkEvent.CallbackFailed>().map { it.failure.message }, listOf("in the app", "also in the app"))
        val count = heard.size
        remove()
        bench.sdk.destroyAd("level_end")
        bench.load()
        expectEqual(heard.size, count)
    }
}
