package millrace.core

fun sessionTests() {
    val suite = Suite("sessions")
    suite.test("nothing is read, stored or sent until consent is known") {
        val bench = Bench()
        var isRead = false
        var known: ((Consent) -> Unit)? = null
        val options = Options(
            app = Bench.APP,
            endpoint = Bench.ENDPOINT,
            device = { Device("android").also { isRead = true } },
            consent = { known = it },
            onEvent = { bench.events.add(it) },
        )
        bench.sdk.initialize(options)
        bench.sdk.foreground()
        bench.sdk.loadAd(Bench.INTERSTITIAL)
        bench.host.advance(60_000)
        expectEqual(bench.of<SdkEvent.InitializeFailed>().map { it.failure.code.code }, listOf("consent_pending"))
        expectEqual(bench.of<SdkEvent.LoadFailed>().map { it.failure.code.code }, listOf("consent_pending"))
        expectEqual(bench.sent.size, 0)
        expectEqual(bench.host.storage.keys().size, 0)
        expectEqual(isRead, false)
        known?.invoke(Consent(gdpr = 1, tcf = "CPok"))
        bench.host.settle()
        expectEqual(bench.bodies("/init").single()["consent"], mapOf("gdpr" to 1.0, "tcf" to "CPok"))
        expectEqual(bench.bodies("/ad").size, 0)
    }
    suite.test("the installation and its first day are stored together, and an id of the app's has the app's day") {
        val bench = Bench()
        bench.start()
        val first = bench.bodies("/init").single()
        expectEqual(first["first_day"], "2025-01-01")
        bench.host.advance(3 * 24 * 3_600_000L)
        bench.start()
        bench.host.settle()
        val again = bench.bodies("/init").last()
        expectEqual(again["install_id"] to again["first_day"], first["install_id"] to first["first_day"])
        val own = Options(Bench.APP, Bench.ENDPOINT, device = { Device("android") }, installId = Bench.APP, firstDay = "yesterday")
        bench.host.advance(31 * 60_000)
        bench.start(own)
        expectEqual(bench.bodies("/init").last()["install_id"] to bench.bodies("/init").last()["first_day"], Bench.APP to null)
    }
    suite.test("a session survives a restart, and ends after half an hour without activity") {
        val bench = Bench()
        bench.start()
        val restarted = Sdk(bench.host) { _, _, _, done -> done(null) }
        restarted.initialize(bench.options())
        bench.host.advance(29 * 60_000)
        restarted.initialize(bench.options())
        bench.host.settle()
        expectEqual(bench.bodies("/init").size, 1)
        bench.host.advance(31 * 60_000)
        restarted.initialize(bench.options())
        bench.host.settle()
        expectEqual(bench.bodies("/init").size, 2)
    }
    suite.test("foreground seconds are pinged, numbered, and without the time of a device asleep") {
        val bench = Bench()
        bench.start()
        bench.sdk.foreground()
        bench.host.advance(30_000)
        bench.host.advance(12_500)
        bench.sdk.background()
        bench.host.advance(100_000)
        bench.sdk.foreground()
        bench.host.advance(600)
        bench.sdk.background()
        bench.host.settle()
        expectEqual(bench.bodies("/ping").map { it["seq"] to it["seconds"] }, listOf(1.0 to 30.0, 2.0 to 12.0))
    }
    suite.test("a session that the server does not know any more is replaced, once a call") {
        val bench = Bench()
        bench.start()
        bench.answer = { if (it.url.endsWith("/ad")) Bench.ok(mapOf("error" to "gone"), 404) else Bench.ok(Bench.initReply("session-2")) }
        expectEqual(bench.load().code, "refused")
        expectEqual(bench.bodies("/ad").map { it["session"] }, listOf("session-1", "session-2"))
        expectEqual(bench.bodies("/init").size, 2)
    }
    suite.test("a failed start is repeated with backoff, and at once when the device is back online") {
        val bench = Bench()
        bench.answer = { failed(ErrorCode.NETWORK, "offline") }
        bench.sdk.foreground()
        expectEqual(bench.start().code, "network")
        repeat(5) { expectEqual(bench.load().code, "network") }
        expectEqual(bench.sent.size, 1)
        bench.answerAds("alpha")
        bench.sdk.online()
        bench.host.settle()
        expectEqual(bench.load().code, "ok")
    }
    suite.test("initialize ends within its limit also if the server is slow, and the session starts all the same") {
        val bench = Bench()
        bench.host.transport = Transport { request, done ->
            bench.sent.add(request)
            bench.host.clock.after(3000) { done(Bench.ok(Bench.initReply())) }
        }
        var outcome: Outcome<SdkEvent.Initialized>? = null
        bench.sdk.initialize(bench.options()) { outcome = it }
        bench.host.advance(INITIALIZE_LIMIT_MS)
        expectEqual(outcome.code, "timeout")
        bench.host.advance(60_000)
        expectEqual(bench.bodies("/init").size, 1)
        bench.host.transport = Transport { request, done ->
            bench.sent.add(request)
            done(Bench.ok(Bench.adReply(listOf(Bench.ad("alpha")))))
        }
        expectEqual(bench.load().code, "ok")
        expectEqual(bench.bodies("/init").size, 1)
    }
}
