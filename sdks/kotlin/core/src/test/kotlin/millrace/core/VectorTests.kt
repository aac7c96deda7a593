package millrace.core

import java.io.File

/** Replays the vectors that the SDK of each language replays. */
fun vectorTests(folder: File) {
    val answers = Json.parse(File(folder, "answers.json").readText()) as List<*>
    val requests = Json.parse(File(folder, "requests.json").readText()) as List<*>
    val suite = Suite("vectors")
    for (vector in answers.map { it as Map<*, *> }) suite.test("${vector["name"]}: ${vector["ends"]}") { replayAnswer(vector) }
    val init = answers.map { it as Map<*, *> }.first { it["ends"] == "loaded" }.at("init", "json")
    for (vector in requests.map { it as Map<*, *> }) suite.test("sends: ${vector["name"]}") { replayRequest(vector, init) }
}

private val SHOWABLE = setOf("html", "mraid", "vast", "native")

/** What an SDK sends of its own. */
private val OWN = setOf("app", "session", "sdk_version", "install_id", "first_day")

private val REQUEST = AdRequest("extra_life", Format.REWARDED)

private fun Any?.at(vararg path: String): Any? = path.fold(this) { value, name -> (value as? Map<*, *>)?.get(name) }

private class Replay(adapters: Map<*, *>, options: (Listener) -> Options, answer: (Outgoing) -> Outcome<Incoming>) {
    val host = TestHost()
    val sent = mutableListOf<Outgoing>()
    val events = mutableListOf<SdkEvent>()
    val sdk = Sdk(host) { ad, _, _, done -> done(if (ad.type in SHOWABLE) WatchedAd(clicks = false) else null) }

    init {
        for ((name, does) in adapters) sdk.registerAdapter(name.toString(), adapterThat(does))
        host.transport = Transport { request, done ->
            sent.add(request)
            done(answer(request))
        }
        sdk.initialize(options { events.add(it) })
        host.settle()
    }

    fun body(path: String): Map<*, *> = Json.parse(sent.first { it.url.endsWith(path) }.body.orEmpty()) as Map<*, *>
}

/** Is watched to its end at once, and tells everything twice. */
private class WatchedAd(private val clicks: Boolean, override val paidMicros: Long? = null) : PreparedAd {
    override fun show(place: Place, events: ShowEvents, started: (Boolean) -> Unit) {
        val told = listOf(events::rewarded, events::hidden)
        for (tell in if (clicks) listOf(events::clicked) + told else told) repeat(2) { tell() }
        started(true)
    }

    override fun destroy() = Unit
}

/** An adapter that does as a vector says. */
private fun adapterThat(does: Any?) = Adapter { _, done ->
    when (does) {
        "throws" -> error("a seller's SDK is broken")
        "silent" -> Unit
        "no_fill" -> done(AdapterResult.NoFill)
        "shows_nothing" -> done(AdapterResult.Loaded(TestAd(Fate.NOT_SHOWN)))
        "fills" -> done(AdapterResult.Loaded(WatchedAd(clicks = true)))
        else -> done(AdapterResult.Loaded(WatchedAd(clicks = true, (does.at("fills", "paid_micros") as Double).toLong())))
    }
}

private fun options(onEvent: Listener, device: Device = Device("android"), consent: Consent = Consent()) = Options(
    app = Bench.APP,
    endpoint = Bench.ENDPOINT,
    device = { device },
    consent = { it(consent) },
    onEvent = onEvent,
)

private fun replayAnswer(vector: Map<*, *>) {
    val reply = { part: String ->
        // What is no JSON has no member here.
        val answer = vector[part] as Map<*, *>
        val text = if ("json" in answer) rawText(answer["json"]) else "<html>"
        Outcome.Ok(Incoming((answer["status"] as Double).toInt(), text))
    }
    val adapters = vector["adapters"] as? Map<*, *> ?: emptyMap<String, Any?>()
    val replay = Replay(adapters, { options(it) }) { request ->
        when {
            request.url.endsWith("/sdk/v1/init") -> reply("init")
            request.url.endsWith("/sdk/v1/ad") -> reply("ad")
            else -> Outcome.Ok(Incoming(204, ""))
        }
    }
    var loaded: Outcome<AdInfo>? = null
    replay.sdk.loadAd(REQUEST) { loaded = it }
    replay.host.advance(REQUEST.timeoutMs)
    expectEqual(loaded.code.let { if (it == "ok") "loaded" else it }, vector["ends"])
    expectEqual(replay.events.count { it is SdkEvent.Loaded || it is SdkEvent.LoadFailed }, 1)
    if (loaded is Outcome.Ok) replay.sdk.showAd(REQUEST.zone, TestPlace())
    replay.host.advance(1000)
    expectEqual(toldBy(replay.events), vector["told"])
    val beacons = (vector["beacons"] as? List<*>).orEmpty().map { it.toString() }
    expectEqual(replay.sent.map { it.url }.filter { "/beacon/" in it }.sorted(), beacons.sorted())
}

/** The vector's `told`: what the app hears of revenue and reward. */
private fun toldBy(events: List<SdkEvent>): Map<String, Any?>? {
    val revenue = events.filterIsInstance<SdkEvent.RevenuePaid>().singleOrNull() ?: return null
    val rewarded = events.filterIsInstance<SdkEvent.RewardReceived>().single()
    expectEqual(rewarded.ad, revenue.ad)
    return mapOf(
        "provider" to revenue.ad.network,
        "auction" to revenue.ad.auction,
        "price_micros" to revenue.priceMicros.toDouble(),
        "precision" to revenue.precision.name.lowercase(),
        "country" to revenue.country,
        "reward" to mapOf("name" to rewarded.reward.name, "amount" to rewarded.reward.amount.toDouble()),
    )
}

private fun replayRequest(vector: Map<*, *>, init: Any?) {
    val given = { part: String, name: String -> vector.at(part, name) }
    val whole = { part: String, name: String -> (given(part, name) as Double?)?.toInt() }
    val device = Device(
        os = given("device", "os") as String,
        osv = given("device", "osv") as String?,
        ifa = given("device", "ifa") as String?,
        lmt = whole("device", "lmt"),
        attStatus = whole("device", "att_status"),
    )
    val consent = Consent(
        gdpr = whole("consent", "gdpr"),
        tcf = given("consent", "tcf") as String?,
        usPrivacy = given("consent", "us_privacy") as String?,
        gpp = given("consent", "gpp") as String?,
        gppSid = (given("consent", "gpp_sid") as List<*>?)?.map { (it as Double).toInt() },
        coppa = whole("consent", "coppa"),
    )
    val replay = Replay(emptyMap<String, Any?>(), { options(it, device, consent) }) { request ->
        if (request.url.endsWith("/sdk/v1/init")) Bench.ok(init) else failed(ErrorCode.NETWORK, "no more is needed")
    }
    val text = { name: String -> given("request", name) as String? }
    replay.sdk.loadAd(REQUEST.copy(userId = text("user_id"), customData = text("custom_data")))
    replay.host.settle()
    for (call in listOf("init", "ad")) {
        val expected = vector.at("sends", call) as Map<*, *>
        expectEqual(replay.body("/sdk/v1/$call").filterKeys { it in expected || it !in OWN }, expected)
    }
}
