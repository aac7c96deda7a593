package millrace.core

import java.util.Random

private const val RUNS = 2_000
private const val LIMIT_MS = 5_000L
private val NAMES = setOf("Initialized", "InitializeFailed", "Loaded", "LoadFailed")

/** Whatever comes from the server, from ads and from the app's own functions. */
fun faultTests() {
    val suite = Suite("faults")
    suite.test("in $RUNS runs with garbled, cut, slow and hostile answers, each call ends once, within its limit, with a code") {
        val codes = mutableMapOf<String, Int>()
        for (seed in 1..RUNS) {
            try {
                for (code in Faults(seed.toLong()).run()) codes.merge(code, 1, Int::plus)
            } catch (thrown: Throwable) {
                throw AssertionError("with seed $seed: $thrown at ${thrown.stackTrace.take(4)}")
            }
        }
        // The faults reach far: ads that load all the same, and most of the failures that answers can cause.
        val missing = setOf("ok", "network", "timeout", "refused", "server", "bad_reply", "no_ad", "render", "consent_pending", "disabled") - codes.keys
        expectEqual(missing, emptySet<String>())
    }
    suite.test("a storage that fails at every call changes nothing") {
        val bench = Bench()
        bench.host.storage = BrokenStorage
        expectEqual(bench.start().code, "ok")
        expectEqual(bench.load().code, "ok")
        expectEqual(bench.show().code, "ok")
        bench.host.advance(1000)
        expectEqual(bench.beacons(), listOf("impression/alpha"))
        expectEqual(bench.waiting(), 0)
    }
    suite.test("a transport that throws is a failed request, and one that never answers a late one") {
        val bench = Bench()
        bench.host.transport = Transport { _, _ -> error("no permission") }
        expectEqual(bench.start().code, "network")
        bench.host.transport = Transport { _, _ -> }
        bench.host.advance(60_000)
        var outcome: Outcome<AdInfo>? = null
        bench.sdk.loadAd(Bench.INTERSTITIAL.copy(timeoutMs = 60_000)) { outcome = it }
        bench.host.advance(20_000)
        expectEqual(outcome.code, "timeout")
    }
}

private object BrokenStorage : Storage {
    override fun keys(): Collection<String> = error("no storage")

    override fun get(key: String): String? = error("no storage")

    override fun set(key: String, value: String): Unit = error("no storage")

    override fun remove(key: String): Unit = error("no storage")
}

/** One run: a device whose server, ads and functions are wrong in a way that the seed decides. */
private class Faults(seed: Long) {
    private val dice = Random(seed)
    private val host = TestHost(seed)
    private val ended = mutableListOf<String>()
    private val fate = Fate.entries[dice.nextInt(Fate.entries.size)]

    fun run(): List<String> {
        val isKnown = dice.nextInt(10) > 0
        val adapter = Adapter { _, done ->
            when (dice.nextInt(5)) {
                0 -> throw NoSuchMethodError("VendorAds.load")
                1 -> Unit
                2 -> done(AdapterResult.NoFill)
                3 -> done(AdapterResult.Failed("offline"))
                else -> repeat(2) { done(AdapterResult.Loaded(TestAd(fate))) }
            }
        }
        host.transport = Transport { request, done -> answer(request.timeoutMs, done) }
        val sdk = Sdk(host) { _, _, _, done ->
            when (fate) {
                Fate.THROWS -> throw StackOverflowError()
                Fate.NEVER_PREPARED -> Unit
                Fate.NOT_PREPARED -> done(null)
                else -> repeat(2) { done(TestAd(fate)) }
            }
        }
        val options = Options(
            app = Bench.APP,
            endpoint = Bench.ENDPOINT,
            device = { if (dice.nextInt(20) == 0) error("no device") else Device("android") },
            consent = { if (isKnown) it(Consent()) },
            onEvent = {
                it.javaClass.simpleName.takeIf(NAMES::contains)?.let(ended::add)
                if (dice.nextInt(20) == 0) error("in the app")
            },
        )
        if (dice.nextBoolean()) sdk.registerAdapter("vendor", adapter)
        val started = endsWithin(INITIALIZE_LIMIT_MS) { sdk.initialize(options, it) }
        val loaded = endsWithin(LIMIT_MS) { sdk.loadAd(AdRequest("home", Format.BANNER, timeoutMs = LIMIT_MS), it) }
        host.advance(120_000)
        val names = listOf(
            if (started is Outcome.Ok) "Initialized" else "InitializeFailed",
            if (loaded is Outcome.Ok) "Loaded" else "LoadFailed",
        )
        expectEqual(ended, names)
        for (outcome in listOf(started, loaded)) {
            expectTrue(outcome !is Outcome.Failed || outcome.failure.message.isNotEmpty()) { "a failure has no message" }
        }
        sdk.showAd("home", TestPlace())
        sdk.shutdown()
        host.advance(60_000)
        return listOfNotNull(started.code, loaded.code)
    }

    private fun <T> endsWithin(limitMs: Long, call: (done: (Outcome<T>) -> Unit) -> Unit): Outcome<T> {
        var outcome: Outcome<T>? = null
        call {
            expectEqual(outcome, null)
            outcome = it
        }
        host.advance(limitMs)
        return outcome ?: throw AssertionError("not ended within $limitMs ms")
    }

    private fun answer(timeoutMs: Long, done: (Outcome<Incoming>) -> Unit) {
        val outcome = when (dice.nextInt(10)) {
            0 -> failed(ErrorCode.NETWORK, "reset")
            1 -> Outcome.Ok(Incoming(STATUSES[dice.nextInt(STATUSES.size)], text(), 1000L * dice.nextInt(100)))
            else -> Outcome.Ok(Incoming(200, text()))
        }
        val delayMs = if (dice.nextInt(3) > 0) 0 else dice.nextInt(12_000).toLong()
        if (delayMs > timeoutMs) host.clock.after(timeoutMs) { done(failed(ErrorCode.TIMEOUT, "no answer")) }
        repeat(if (dice.nextInt(10) == 0) 2 else 1) { host.clock.after(delayMs) { done(outcome) } }
    }

    private fun text(): String {
        val honest = if (dice.nextInt(2) == 0) Bench.initReply() else Bench.adReply(ads()) + steps()
        // An answer of either call has the fields of both, so that most of them get further than the first look.
        val switch = if (dice.nextInt(20) == 0) mapOf("disabled" to true) else emptyMap()
        val text = Json.write(bent(Bench.initReply() + Bench.adReply(ads()) + honest) + switch)
        return when (dice.nextInt(8)) {
            0 -> text.take(dice.nextInt(text.length))
            1 -> text.replaceRange(dice.nextInt(text.length).let { it..it }, dice.nextInt(256).toChar().toString())
            2 -> HOSTILE_TEXTS[dice.nextInt(HOSTILE_TEXTS.size)]
            else -> text
        }
    }

    private fun ads() = List(dice.nextInt(4)) { bent(Bench.ad("alpha")) }

    private fun steps(): Map<String, Any?> {
        if (dice.nextInt(2) == 0) return emptyMap()
        val step = { if (dice.nextBoolean()) mapOf("type" to "ad", "ad" to dice.nextInt(3)) else adapterStep("vendor") }
        return mapOf("steps" to List(dice.nextInt(4)) { bent(step()) })
    }

    /** An object of which some fields are replaced by what JSON can hold. */
    private fun bent(honest: Map<String, Any?>): Map<String, Any?> {
        val names = honest.keys.toList()
        val count = if (dice.nextInt(3) == 0) 1 + dice.nextInt(2) else 0
        return honest + List(count) { names[dice.nextInt(names.size)] to HOSTILE[dice.nextInt(HOSTILE.size)] }
    }
}

private val STATUSES = listOf(0, 204, 301, 302, 400, 401, 404, 410, 429, 500, 503, 999)
private val HOSTILE = listOf(-1, 0, 1e308, 9e15, "x".repeat(5000), "", emptyList<Any>(), emptyMap<String, Any>(), listOf(emptyList<Any>()), true, false)
private val HOSTILE_TEXTS = listOf("", "null", "[".repeat(100_000), "{\"a\":".repeat(100_000), "<html>Sign in</html>", "\u0000", "1e999", "\"\\ud800\"")
