package millrace.core

import java.util.Random

/** A clock that stands still until a test moves it. */
class ManualClock : Clock {
    private class Timer(val at: Long, val order: Long, val run: () -> Unit)

    private val timers = sortedSetOf(compareBy<Timer>({ it.at }, { it.order }))
    private var ticks = 0L
    private var base = 1_735_689_600_000L
    private var made = 0L

    override fun now() = base + ticks

    override fun ticks() = ticks

    override fun after(delayMs: Long, run: () -> Unit): () -> Unit {
        made += 1
        val timer = Timer(ticks + delayMs, made, run)
        timers.add(timer)
        return { timers.remove(timer) }
    }

    /** Sets the wall clock alone, as a user does. */
    fun set(nowMs: Long) {
        base = nowMs - ticks
    }

    /** Moves to the next timer that is due by [until], and runs it. False if there is none. */
    fun step(until: Long): Boolean {
        val next = timers.firstOrNull()?.takeIf { it.at <= until }
        ticks = maxOf(ticks, next?.at ?: until)
        if (next == null) return false
        timers.remove(next)
        next.run()
        return true
    }
}

/** A device whose threads are two queues, which [advance] works off in an order that a seed decides. */
class TestHost(seed: Long = 1) : Host {
    private val dice = Random(seed)
    private val own = ArrayDeque<() -> Unit>()
    private val app = ArrayDeque<() -> Unit>()

    override val clock = ManualClock()
    override var storage: Storage = MemoryStorage()
    override var transport = Transport { _, done -> done(failed(ErrorCode.NETWORK, "offline")) }
    val lines = mutableListOf<String>()

    override fun random() = dice.nextDouble()

    override fun execute(run: () -> Unit) {
        own.add(run)
    }

    override fun deliver(run: () -> Unit) {
        app.add(run)
    }

    override fun log(level: LogLevel, text: String, data: Any?) {
        lines.add("${level.name} $text")
    }

    fun settle() {
        while (own.isNotEmpty() || app.isNotEmpty()) {
            val queue = if (app.isEmpty() || (own.isNotEmpty() && dice.nextBoolean())) own else app
            queue.removeFirst()()
        }
    }

    fun advance(byMs: Long) {
        val until = clock.ticks() + byMs
        settle()
        while (clock.step(until)) settle()
    }
}

/** The whole screen, or a view in the app. */
class TestPlace(override val isFullScreen: Boolean = true) : Place

/** An ad that behaves as its fate says. */
class TestAd(private val fate: Fate, override val paidMicros: Long? = null) : PreparedAd {
    lateinit var events: ShowEvents
    lateinit var place: Place
    private lateinit var started: (Boolean) -> Unit
    var destroyed = 0
    var isPut = false

    override fun show(place: Place, events: ShowEvents, started: (Boolean) -> Unit) {
        isPut = true
        this.place = place
        this.events = events
        this.started = started
        when (fate) {
            Fate.THROWS_AT_SHOW -> throw NoClassDefFoundError("VendorAd")
            Fate.NOT_SHOWN -> started(false)
            Fate.SHOWN_LATER -> Unit
            else -> started(true)
        }
    }

    fun showNow() = started(true)

    override fun destroy() {
        destroyed += 1
    }
}

enum class Fate { SHOWS, NOT_PREPARED, THROWS, NEVER_PREPARED, NOT_SHOWN, THROWS_AT_SHOW, SHOWN_LATER }

/** The SDK on a test device, a server that answers as a test says, and what they did. */
class Bench(seed: Long = 1) {
    val host = TestHost(seed)
    val sent = mutableListOf<Outgoing>()
    val events = mutableListOf<SdkEvent>()
    val fates = mutableMapOf<String, Fate>()
    val ads = mutableMapOf<String, TestAd>()

    /** Whose ad becomes ready when the test says so. */
    var late: String? = null
    var prepareNow: () -> Unit = {}
    var answer: (Outgoing) -> Outcome<Incoming>? = { ok(if (it.url.endsWith("/init")) initReply() else adReply(listOf(ad("alpha")))) }
    val sdk = Sdk(host) { ad, _, _, done ->
        when (val fate = fates[ad.provider] ?: Fate.SHOWS) {
            Fate.NOT_PREPARED -> done(null)
            Fate.THROWS -> error("broken")
            Fate.NEVER_PREPARED -> Unit
            else -> {
                val prepared = { done(TestAd(fate).also { ads[ad.provider] = it }) }
                if (ad.provider == late) prepareNow = prepared else prepared()
            }
        }
    }

    init {
        host.transport = Transport { request, done ->
            sent.add(request)
            answer(request)?.let { reply -> host.execute { done(reply) } }
        }
    }

    fun answerAds(vararg providers: String, more: Map<String, Any?> = emptyMap()) {
        answer = { ok(if (it.url.endsWith("/init")) initReply() else adReply(providers.map { name -> ad(name) }) + more) }
    }

    fun options(
        consent: ConsentSource = ConsentSource { it(Consent()) },
        budgetMb: Double? = null,
        test: Boolean = false,
        app: String = APP,
        device: Device = Device(os = "android"),
        onEvent: Listener = Listener { events.add(it) },
    ) = Options(
        app = app,
        endpoint = ENDPOINT,
        device = { device },
        consent = consent,
        downloadBudgetMb = budgetMb,
        test = test,
        onEvent = onEvent,
    )

    fun start(options: Options = options()): Outcome<SdkEvent.Initialized>? = outcomeOf { sdk.initialize(options, it) }

    fun load(request: AdRequest = INTERSTITIAL): Outcome<AdInfo>? = outcomeOf { sdk.loadAd(request, it) }

    fun show(zone: String = "level_end", place: Place = TestPlace()): Outcome<Shown>? = outcomeOf { sdk.showAd(zone, place, it) }

    /** The outcome of a call that ends at once; null if it has not ended. */
    fun <T> outcomeOf(call: (done: (Outcome<T>) -> Unit) -> Unit): Outcome<T>? {
        var outcome: Outcome<T>? = null
        call { outcome = it }
        host.settle()
        return outcome
    }

    fun waiting(): Int {
        var count = -1
        sdk.waiting { count = it }
        host.settle()
        return count
    }

    /** The beacons that were called, sorted, without the platform's address. */
    fun beacons(): List<String> = sent.filter { it.url.contains("/b/") }.map { it.url.removePrefix("$ENDPOINT/b/") }.sorted()

    fun bodies(path: String): List<Map<*, *>> = sent.filter { it.url.endsWith(path) }.map { Json.parse(it.body.orEmpty()) as Map<*, *> }

    inline fun <reified T : SdkEvent> of(): List<T> = events.filterIsInstance<T>()

    companion object {
        const val APP = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff"
        const val ENDPOINT = "https://ads.example.com"
        val INTERSTITIAL = AdRequest("level_end", Format.INTERSTITIAL, 320, 480)

        fun ok(json: Any?, status: Int = 200): Outcome<Incoming> = Outcome.Ok(Incoming(status, Json.write(json)))

        fun initReply(session: String = "session-1"): Map<String, Any?> = mapOf(
            "session" to session,
            "session_timeout_seconds" to 1800,
            "latest_sdk_version" to "1.0.0",
            "formats" to listOf("banner"),
            "zones" to emptyList<Any>(),
            "ping_seconds" to 30,
        )

        fun ad(provider: String, content: String = "<p>$provider</p>"): Map<String, Any?> = mapOf(
            "provider" to provider,
            "format" to "interstitial",
            "markup" to mapOf("type" to "html", "content" to content),
            "revenue_micros" to 1500,
            "beacons" to listOf("impression", "click", "loss").associateWith { "$ENDPOINT/b/$it/$provider" },
        )

        fun adReply(ads: List<Map<String, Any?>>): Map<String, Any?> = mapOf(
            "auction" to "0b8f0a0e-5a5e-4d0c-9c53-6f6b1f0f7a11",
            "ads" to ads,
            "refresh_seconds" to 30,
            "country" to "DE",
            "expires_seconds" to 1500,
        )
    }
}

val Outcome<*>?.code: String?
    get() = when (this) {
        null -> null
        is Outcome.Ok -> "ok"
        is Outcome.Failed -> failure.code.code
    }
