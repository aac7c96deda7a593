package millrace.core

fun bannerTests() {
    val suite = Suite("banners")
    suite.test("a banner's place is filled by turns while it can be seen, and tried again after a turn without an ad") {
        val bench = Bench()
        val place = TestPlace(isFullScreen = false)
        bench.start()
        bench.sdk.showBanner(AdRequest("home", Format.BANNER, 320, 50), place)
        bench.host.advance(29_999)
        expectEqual(bench.of<SdkEvent.Displayed>().size, 1)
        bench.host.advance(1)
        expectEqual(bench.of<SdkEvent.Displayed>().size, 2)
        expectEqual(bench.of<SdkEvent.Hidden>().size, 1)
        bench.sdk.setVisible("home", false)
        bench.host.advance(120_000)
        expectEqual(bench.of<SdkEvent.Displayed>().size, 2)
        bench.answer = { Bench.ok(Bench.adReply(emptyList())) }
        bench.sdk.setVisible("home", true)
        bench.host.advance(9_000)
        expectEqual(bench.of<SdkEvent.LoadFailed>().size, 1)
        bench.answerAds("alpha")
        bench.host.advance(1_000)
        expectEqual(bench.of<SdkEvent.Displayed>().size, 3)
        bench.sdk.destroyAd("home")
        bench.host.advance(120_000)
        expectEqual(bench.of<SdkEvent.Displayed>().size to bench.of<SdkEvent.Hidden>().size, 3 to 3)
    }
    suite.test("a banner's place asks for nothing in the background, and for what is overdue when the app is back") {
        val bench = Bench()
        bench.start()
        bench.sdk.showBanner(AdRequest("home", Format.BANNER, 320, 50), TestPlace(isFullScreen = false))
        bench.host.advance(1_000)
        bench.sdk.background()
        bench.host.advance(120_000)
        expectEqual(bench.bodies("/ad").size, 1)
        bench.sdk.online()
        bench.sdk.setVisible("home", true)
        bench.host.settle()
        expectEqual(bench.bodies("/ad").size, 1)
        bench.sdk.foreground()
        bench.host.settle()
        expectEqual(bench.of<SdkEvent.Displayed>().size, 2)
    }
    suite.test("an ad that comes after the app has gone to the background waits, uncounted, until the app is back") {
        val bench = Bench()
        bench.start()
        bench.late = "alpha"
        var ended = 0
        bench.sdk.showBanner(AdRequest("home", Format.BANNER, 320, 50), TestPlace(isFullScreen = false)) { ended += 1 }
        bench.host.settle()
        bench.sdk.background()
        bench.prepareNow()
        bench.host.settle()
        expectEqual(listOf(bench.of<SdkEvent.Loaded>().size, bench.of<SdkEvent.Displayed>().size, ended), listOf(1, 0, 0))
        bench.sdk.foreground()
        bench.host.settle()
        expectEqual(listOf(bench.bodies("/ad").size, bench.of<SdkEvent.Displayed>().size, ended), listOf(1, 1, 1))
    }
    suite.test("a place that becomes visible again and again asks for no ad before its backoff has passed") {
        val bench = Bench()
        bench.start()
        bench.answer = { Bench.ok(Bench.adReply(emptyList())) }
        bench.sdk.showBanner(AdRequest("home", Format.BANNER, 320, 50), TestPlace(isFullScreen = false))
        for (second in 1..60) {
            bench.host.advance(1_000)
            bench.sdk.setVisible("home", second % 2 == 0)
            bench.sdk.foreground()
        }
        bench.host.settle()
        expectTrue(bench.bodies("/ad").size in 4..6) { "asked ${bench.bodies("/ad").size} times" }
    }
    suite.test("a device that is back online ends the backoff, but for 10 seconds not that of an ad that nobody has bought") {
        val bench = Bench()
        bench.start()
        bench.answer = { failed(ErrorCode.NETWORK, "offline") }
        bench.sdk.showBanner(AdRequest("home", Format.BANNER, 320, 50), TestPlace(isFullScreen = false))
        bench.host.advance(1_000)
        bench.answer = { Bench.ok(Bench.adReply(emptyList())) }
        bench.sdk.online()
        bench.host.advance(9_000)
        bench.sdk.online()
        bench.host.settle()
        expectEqual(bench.bodies("/ad").size, 2)
        bench.host.advance(1_000)
        bench.sdk.online()
        bench.host.settle()
        expectEqual(bench.bodies("/ad").size, 3)
    }
    suite.test("below a full-screen ad a banner's place asks for nothing, and for what is overdue once the screen is free") {
        val bench = Bench()
        bench.start()
        bench.load()
        bench.show()
        val fullScreen = bench.ads.getValue("alpha")
        bench.sdk.showBanner(AdRequest("home", Format.BANNER, 320, 50), TestPlace(isFullScreen = false))
        bench.host.advance(60_000)
        expectEqual(bench.bodies("/ad").size, 1)
        fullScreen.events.hidden()
        bench.host.settle()
        expectEqual(bench.bodies("/ad").size to bench.of<SdkEvent.Displayed>().size, 2 to 2)
    }
    suite.test("an ad that comes after its place was given up is shown in the zone's new place alone") {
        val bench = Bench()
        bench.start()
        bench.late = "alpha"
        bench.sdk.showBanner(AdRequest("home", Format.BANNER, 320, 50), TestPlace(isFullScreen = false))
        bench.host.settle()
        val next = TestPlace(isFullScreen = false)
        bench.sdk.showBanner(AdRequest("home", Format.BANNER, 320, 50), next)
        bench.host.settle()
        bench.prepareNow()
        bench.host.advance(10_000)
        expectEqual(bench.bodies("/ad").size to bench.of<SdkEvent.Displayed>().size, 1 to 1)
        expectTrue(bench.ads.getValue("alpha").place === next) { "shown in the place that was given up" }
    }
}
