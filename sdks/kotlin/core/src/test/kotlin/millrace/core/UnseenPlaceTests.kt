package millrace.core

private val FEED = AdRequest("feed", Format.NATIVE)
private val PLACE = TestPlace(isFullScreen = false)

fun unseenPlaceTests() {
    val suite = Suite("unseen places")
    suite.test("a native ad of an app in the background is shown and counted once the app is back") {
        val bench = Bench()
        bench.start()
        bench.load(FEED)
        bench.sdk.background()
        var outcome: Outcome<Shown>? = null
        bench.sdk.showAd("feed", PLACE) { outcome = it }
        bench.host.advance(60_000)
        expectEqual(outcome to bench.beacons(), null to emptyList<String>())
        bench.sdk.foreground()
        bench.host.advance(500)
        expectEqual(outcome.code to bench.beacons(), "ok" to listOf("impression/alpha"))
    }
    suite.test("a native ad below a full-screen ad is shown once the screen is free") {
        val bench = Bench()
        bench.start()
        bench.load()
        bench.show()
        val fullScreen = bench.ads.getValue("alpha")
        bench.load(FEED)
        var outcome: Outcome<Shown>? = null
        bench.sdk.showAd("feed", PLACE) { outcome = it }
        bench.host.advance(60_000)
        expectEqual(outcome to bench.of<SdkEvent.Displayed>().size, null to 1)
        fullScreen.events.hidden()
        bench.host.advance(500)
        expectEqual(outcome.code to bench.of<SdkEvent.Displayed>().size, "ok" to 2)
    }
    suite.test("an ad that is given up, or expires, before it could be seen is never shown") {
        for (isGivenUp in listOf(true, false)) {
            val bench = Bench()
            bench.start()
            bench.sdk.background()
            bench.load(FEED)
            var outcome: Outcome<Shown>? = null
            bench.sdk.showAd("feed", PLACE) { outcome = it }
            bench.host.settle()
            if (isGivenUp) bench.sdk.destroyAd("feed")
            bench.host.advance(1_500_000)
            expectEqual(outcome.code, if (isGivenUp) "destroyed" else "expired")
            expectEqual(bench.ads.getValue("alpha").let { it.isPut to it.destroyed }, false to 1)
        }
    }
}
