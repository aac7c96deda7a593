package millrace.core

/** An answer's step that names an adapter. */
fun adapterStep(adapter: String, provider: String = "seller"): Map<String, Any?> = mapOf(
    "type" to "adapter",
    "provider" to provider,
    "item" to Bench.APP,
    "adapter" to adapter,
    "params" to mapOf("unit" to "7"),
    "expected_micros" to 2_000_000,
    "beacons" to mapOf(
        "impression" to "${Bench.ENDPOINT}/beacon/impression?t=$provider",
        "click" to "${Bench.ENDPOINT}/beacon/click?t=$provider",
        "loss" to "${Bench.ENDPOINT}/beacon/loss?t=$provider",
        "player" to "${Bench.ENDPOINT}/beacon/player?t=$provider",
    ),
)

private class TestAdapter(val name: String, private val answer: (done: (AdapterResult) -> Unit) -> Unit) : Adapter {
    val asked = mutableListOf<AdapterRequest>()

    override fun load(request: AdapterRequest, done: (AdapterResult) -> Unit) {
        asked.add(request)
        answer(done)
    }
}

private fun benchOf(adapters: List<TestAdapter>, steps: List<Map<String, Any?>>, ads: List<String> = listOf("alpha")): Bench {
    val bench = Bench()
    bench.answerAds(*ads.toTypedArray(), more = mapOf("steps" to steps))
    for (adapter in adapters) bench.sdk.registerAdapter(adapter.name, adapter)
    bench.start()
    return bench
}

private val AD_STEP = mapOf("type" to "ad", "ad" to 0)

/** The beacons that were called, sorted, also those in batches. */
private fun Bench.told(): List<String> = sent.flatMap { request ->
    val events = (Json.parse(request.body.orEmpty()) as? Map<*, *>)?.get("events") as? List<*>
    events?.map { it as Map<*, *> }?.map { event ->
        if (event["type"] == "step") "player?t=${event["token"]}&e=${event["outcome"]}" else "${event["type"]}?t=${event["token"]}"
    } ?: listOf(request.url).filter { "/beacon/" in it }.map { it.substringAfter("/beacon/") }
}.sorted()

fun mediationTests() {
    val suite = Suite("mediation")
    suite.test("a request names the adapters, and one without adapters does not") {
        val bench = benchOf(listOf(TestAdapter("vendor") { it(AdapterResult.NoFill) }), listOf(AD_STEP))
        bench.load()
        expectEqual(bench.bodies("/ad").single()["adapters"], listOf("vendor"))
        val plain = Bench()
        plain.start()
        plain.load()
        expectEqual("adapters" in plain.bodies("/ad").single(), false)
    }
    suite.test("an adapter's ad is shown in its turn, with the step's beacons and the expected price") {
        val shown = TestAd(Fate.SHOWS)
        val vendor = TestAdapter("vendor") { it(AdapterResult.Loaded(shown)) }
        val bench = benchOf(listOf(vendor), listOf(adapterStep("vendor"), AD_STEP))
        expectEqual((bench.load() as Outcome.Ok).value.network, "seller")
        expectEqual(vendor.asked.map { it.params to it.zone }, listOf(mapOf("unit" to "7") to "level_end"))
        bench.show()
        shown.events.clicked()
        shown.events.hidden()
        bench.host.advance(1)
        expectEqual(bench.told(), listOf("click?t=seller", "impression?t=seller", "player?t=seller&e=filled"))
        expectEqual(bench.of<SdkEvent.RevenuePaid>().map { it.priceMicros to it.precision }, listOf(2000L to Precision.ESTIMATED))
        expectEqual(shown.destroyed, 1)
    }
    suite.test("an adapter's price goes with its impression, if it can be true") {
        for ((paid, told) in listOf(3_400_000L to 3400L, 1_000_000_001L to 2000L, -1L to 2000L)) {
            val bench = benchOf(listOf(TestAdapter("vendor") { it(AdapterResult.Loaded(TestAd(Fate.SHOWS, paid))) }), listOf(adapterStep("vendor")))
            bench.load()
            bench.show()
            bench.host.advance(1)
            val impression = "impression?t=seller" + if (told == 2000L) "" else "&paid_micros=$paid"
            expectEqual(bench.told(), listOf(impression, "player?t=seller&e=filled"))
            expectEqual(bench.of<SdkEvent.RevenuePaid>().map { it.priceMicros }, listOf(told))
        }
    }
    suite.test("adapters that show nothing are passed over, the server is told why, and a loss once an ad shows") {
        val adapters = listOf(
            TestAdapter("empty") { it(AdapterResult.NoFill) },
            TestAdapter("broken") { it(AdapterResult.Failed("no key")) },
            TestAdapter("missing") { throw NoClassDefFoundError("com/vendor/Ads") },
            TestAdapter("unshown") { it(AdapterResult.Loaded(TestAd(Fate.NOT_SHOWN))) },
        )
        val names = adapters.map { it.name } + "unknown"
        val bench = benchOf(adapters, names.map { adapterStep(it, it) } + AD_STEP)
        bench.load()
        val before = listOf("broken&e=failed", "empty&e=no_fill", "missing&e=failed", "unshown&e=filled").map { "player?t=$it" }
        expectEqual(bench.told(), before)
        expectEqual((bench.show() as Outcome.Ok).value.ad.network, "alpha")
        bench.host.advance(1)
        val after = before + "player?t=unknown&e=not_registered" + "player?t=unshown&e=failed" + names.map { "loss?t=$it" }
        expectEqual(bench.told(), after.sorted())
    }
    suite.test("a slow adapter is passed over, and what it brings later is destroyed") {
        var late: ((AdapterResult) -> Unit)? = null
        val bench = benchOf(listOf(TestAdapter("slow") { late = it }), listOf(adapterStep("slow"), AD_STEP))
        var outcome: Outcome<AdInfo>? = null
        bench.sdk.loadAd(Bench.INTERSTITIAL) { outcome = it }
        bench.host.advance(3500)
        expectEqual((outcome as Outcome.Ok).value.network, "alpha")
        val ad = TestAd(Fate.SHOWS)
        late?.invoke(AdapterResult.Loaded(ad))
        bench.host.settle()
        expectEqual(ad.destroyed, 1)
        expectEqual(bench.told(), listOf("player?t=seller&e=timed_out"))
    }
    suite.test("adapters that take all their time leave enough of it for an ad behind them, and are all called without one") {
        for (behind in listOf(listOf(AD_STEP), emptyList())) {
            val asked = mutableListOf<String>()
            val slow = listOf("first", "second", "third").map { name -> TestAdapter(name) { asked.add(name) } }
            val bench = benchOf(slow, slow.map { adapterStep(it.name, it.name) } + behind)
            var outcome: Outcome<AdInfo>? = null
            bench.sdk.loadAd(Bench.INTERSTITIAL) { outcome = it }
            repeat(2) { bench.host.advance(3500) }
            expectEqual(asked, listOf("first", "second") + if (behind.isEmpty()) listOf("third") else emptyList())
            expectEqual((outcome as? Outcome.Ok)?.value?.network, if (behind.isEmpty()) null else "alpha")
        }
    }
    suite.test("an adapter that is removed is named no more, and a wrong name or one too many is refused") {
        val bench = Bench()
        bench.sdk.registerAdapter("a b", NEVER)
        for (number in 1..51) bench.sdk.registerAdapter("a$number", NEVER)
        bench.sdk.registerAdapter("a2", NEVER)()
        bench.start()
        bench.load()
        val named = (bench.bodies("/ad").single()["adapters"] as List<*>).toSet()
        expectEqual(named, (1..50).map { "a$it" }.toSet() - "a2")
        expectEqual(bench.host.lines.count { it.startsWith("ERROR") }, 2)
    }
}

private val NEVER = Adapter { _, _ -> }
