package millrace.core

const val INITIALIZE_LIMIT_MS = 2_000L

/**
 * The SDK without a user interface. Every function may be called on any thread, returns at once and throws nothing; results come
 * where the app lives, by events and by each call's own callback.
 */
class Sdk(private val host: Host, private val renderer: Renderer) {
    private val emitter = Emitter(host)
    private val places = mutableMapOf<String, Rotation>()
    private var isForeground = false

    /** Not the opposite of [isForeground]: a host may not have told either yet, and then banners are shown. */
    private var isBackground = false

    /** The app's adapters, which stay over restarts of the SDK. */
    private val adapters = linkedMapOf<String, Adapter>()

    @Volatile
    private var running: Running? = null

    /** Starts the SDK, or restarts it for other options. Ends within 2 seconds, with `Initialized` or `InitializeFailed`. */
    fun initialize(options: Options, done: (Outcome<SdkEvent.Initialized>) -> Unit = {}) = host.execute {
        emitter.onEvent = options.onEvent
        emitter.logLevel = options.logLevel
        val end = { outcome: Outcome<SdkEvent.Initialized> ->
            emitter.emit(if (outcome is Outcome.Ok) outcome.value else SdkEvent.InitializeFailed((outcome as Outcome.Failed).failure))
            emitter.call { done(outcome) }
        }
        val wrong = wrongOptions(options)
        if (wrong == null) start(options, end) else end(failed(ErrorCode.OPTIONS, wrong))
    }

    /** Loads an ad of a zone. Ends within the request's limit, with `Loaded` or `LoadFailed`. Asks the server once. */
    fun loadAd(request: AdRequest, done: (Outcome<AdInfo>) -> Unit = {}) = host.execute {
        val end = { outcome: Outcome<AdInfo> ->
            emitter.emit(
                when (outcome) {
                    is Outcome.Ok -> SdkEvent.Loaded(outcome.value)
                    is Outcome.Failed -> SdkEvent.LoadFailed(request.zone, request.format, outcome.failure)
                },
            )
            emitter.call { done(outcome) }
        }
        val wrong = wrongRequest(request)
        if (wrong != null) end(failed(ErrorCode.OPTIONS, wrong)) else running?.load(request, end) ?: end(NOT_INITIALIZED)
    }

    /** True if `showAd` has an ad of this zone, which has not expired. */
    fun isAdReady(zone: String): Boolean = running?.isReady(zone) == true

    /**
     * Shows the zone's ad, with `Displayed` or `DisplayFailed`. An ad in a place waits until the app is not in the background and no
     * full-screen ad covers it.
     */
    fun showAd(zone: String, place: Place, done: (Outcome<Shown>) -> Unit = {}) = host.execute { show(zone, place, done) }

    /**
     * Keeps a place filled: loads an ad, shows it, and shows another after the server's time for the zone, or after [refreshSeconds] (0:
     * never), while the place is visible, the app is not in the background and no full-screen ad covers it. Ends with [destroyAd]. [done]
     * is told how the first ad ended.
     */
    fun showBanner(
        request: AdRequest,
        place: Place,
        refreshSeconds: Long? = null,
        isVisible: Boolean = true,
        done: (Outcome<Shown>) -> Unit = {},
    ) = host.execute {
        places.remove(request.zone)?.stop()
        var isFirst = true
        val rotation = Rotation(host, refreshSeconds, isVisible, { !isBackground && running?.isScreenTaken != true }) { isSeen, turnEnded ->
            fill(request, place, isSeen) { outcome ->
                if (isFirst && outcome != null) emitter.call { done(outcome) }
                isFirst = isFirst && outcome == null
                turnEnded(outcome)
            }
        }
        places[request.zone] = rotation
        rotation.wake()
    }

    /** Tells whether a banner's place can be seen. */
    fun setVisible(zone: String, isVisible: Boolean) = host.execute { places[zone]?.setVisible(isVisible) }

    /** Gives up what a zone loads, has loaded or shows, and ends its refreshing. */
    fun destroyAd(zone: String) = host.execute {
        places.remove(zone)?.stop()
        running?.destroy(zone)
    }

    /** Adds an adapter for line items of this name, or replaces it. Returns a function that removes it. */
    fun registerAdapter(name: String, adapter: Adapter): () -> Unit {
        host.execute {
            if (isAdapterName(name, adapters)) adapters[name] = adapter
            else emitter.log(LogLevel.ERROR, "an adapter was not registered: its name is wrong, or there are too many", name)
        }
        return { host.execute { if (adapters[name] === adapter) adapters.remove(name) } }
    }

    /** Returns a function that removes the listener. */
    fun addListener(listener: Listener): () -> Unit = emitter.add(listener)

    /** The app comes to the foreground. */
    fun foreground() = host.execute {
        isForeground = true
        isBackground = false
        running?.link?.sessions?.foreground()
        running?.link?.queue?.flush()
        wakePlaces()
    }

    /** The app leaves the foreground. */
    fun background() = host.execute {
        isForeground = false
        isBackground = true
        running?.link?.sessions?.background()
    }

    /** The device is back online: sends everything that waits. */
    fun online() = host.execute {
        running?.link?.sessions?.retry()
        running?.link?.queue?.flush()
        for (rotation in places.values) rotation.backOnline()
    }

    /** Ends everything. Undelivered beacons are sent at the next start. */
    fun shutdown() = host.execute(::stop)

    /** The number of beacons and pings that wait for delivery, told on the SDK's thread. */
    internal fun waiting(done: (Int) -> Unit) = host.execute { done(running?.link?.queue?.size ?: 0) }

    private fun start(options: Options, end: (Outcome<SdkEvent.Initialized>) -> Unit) {
        stop()
        val started = Running(host, options, renderer, adapters, emitter, { isBackground }, ::wakePlaces)
        running = started
        val late = { if (started.link.isConsentPending) NO_CONSENT else Failure(ErrorCode.TIMEOUT, "No reply in time") }
        val limited = Limited<InitReply>(host.clock, INITIALIZE_LIMIT_MS, late) { outcome ->
            val refusal = started.refusal
            end(
                when {
                    outcome is Outcome.Failed -> outcome
                    running !== started -> failed(ErrorCode.DESTROYED, "The SDK was started again")
                    refusal != null -> Outcome.Failed(refusal)
                    else -> Outcome.Ok(SdkEvent.Initialized((outcome as Outcome.Ok).value.latestSdkVersion))
                },
            )
        }
        started.link.sessions.current { limited.settle(it) }
        if (isForeground) started.link.sessions.foreground()
    }

    private fun stop() {
        for (rotation in places.values) rotation.stop()
        places.clear()
        running?.shutdown()
        running = null
    }

    private fun wakePlaces() {
        for (rotation in places.values) rotation.wake()
    }

    private fun show(zone: String, place: Place, done: (Outcome<Shown>) -> Unit) {
        val end = { outcome: Outcome<Shown> ->
            if (outcome is Outcome.Failed) emitter.emit(SdkEvent.DisplayFailed(zone, outcome.failure))
            emitter.call { done(outcome) }
        }
        running?.show(zone, place, end) ?: end(NOT_INITIALIZED)
    }

    /** One turn of a banner's place. Calls [done] on the SDK's thread, with null for an ad that nobody would see: it stays ready. */
    private fun fill(request: AdRequest, place: Place, isSeen: () -> Boolean, done: (Outcome<Shown>?) -> Unit) {
        val shown = { if (isSeen()) show(request.zone, place) { outcome -> host.execute { done(outcome) } } else done(null) }
        if (isAdReady(request.zone)) return shown()
        loadAd(request) { loaded ->
            host.execute { if (loaded is Outcome.Failed) done(loaded) else shown() }
        }
    }
}

private val NOT_INITIALIZED = failed(ErrorCode.NOT_INITIALIZED, "Call initialize first")
