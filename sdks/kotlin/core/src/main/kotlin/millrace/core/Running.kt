package millrace.core

import java.util.concurrent.ConcurrentHashMap

/** Of a load's time, adapters are called in this part only: then the slowest leaves a fifth of the usual limit for an ad behind it. */
private const val ADAPTERS_SHARE = 0.45

/** How often a place that nobody sees is looked at again. */
private const val UNSEEN_MS = 500L
private val OFF = Failure(ErrorCode.DISABLED, "Ads are switched off for this app")
internal val NO_CONSENT = Failure(ErrorCode.CONSENT_PENDING, "Consent was not known in time")

/** An ad on the screen, and the seconds after which the server suggests another one (0: never). */
class Shown internal constructor(val ad: AdInfo, val refreshSeconds: Long)

/** The SDK from one `initialize` to the next: the ads of each zone. */
internal class Running(
    private val host: Host,
    options: Options,
    renderer: Renderer,
    adapters: Map<String, Adapter>,
    private val emitter: Emitter,
    /** The app is known to be in the background. */
    private val isBackground: () -> Boolean,
    /** A full-screen ad has left the screen. */
    private val onScreenFree: () -> Unit,
) {
    private val budget = DownloadBudget(options.downloadBudgetMb)
    val link = ServerLink(host, options, emitter, adapters, ::sessionStarted, ::switchOff)
    private val deps = AdDeps(host, options, renderer, adapters, budget, link.queue, emitter)

    private val loading = mutableMapOf<String, Limited<ReadyAd>>()

    /** Also read by `isAdReady` on any thread. */
    private val ready: MutableMap<String, ReadyAd> = ConcurrentHashMap()

    /** By zone, the shows that have begun. */
    private val starting = mutableMapOf<String, StartingShow>()
    private val shown = mutableMapOf<String, Presentation>()

    /** The zone of the ad that takes the whole screen. */
    private var fullScreen: String? = null

    /** True while a full-screen ad has the screen: nobody sees the app's places below it. */
    val isScreenTaken: Boolean get() = fullScreen != null

    @Volatile
    private var isOff = false

    /** Null if ads may be loaded. */
    val refusal: Failure? get() = OFF.takeIf { isOff }

    fun isReady(zone: String): Boolean = !isOff && ready[zone]?.isExpired == false

    fun load(request: AdRequest, done: (Outcome<AdInfo>) -> Unit) {
        val zone = request.zone
        val kept = ready[zone]
        if (kept != null && isSameRequest(kept.request, request) && !kept.isExpired) return done(Outcome.Ok(kept.info))
        // What was loaded for another user must not be shown if nothing comes for this one.
        deps.destroy(ready.remove(zone)?.first?.ad)
        val refused = when {
            isOff -> OFF
            zone in loading -> Failure(ErrorCode.BUSY, "An ad of $zone is being loaded")
            budget.isUsedUp -> BUDGET_USED
            else -> null
        }
        if (refused != null) return done(Outcome.Failed(refused))
        lateinit var limited: Limited<ReadyAd>
        val late = { if (link.isConsentPending) NO_CONSENT else Failure(ErrorCode.TIMEOUT, "No ad within ${request.timeoutMs} ms") }
        limited = Limited(host.clock, request.timeoutMs, late) { outcome ->
            if (loading[zone] === limited) loading.remove(zone)
            when (outcome) {
                is Outcome.Failed -> done(outcome)
                is Outcome.Ok -> {
                    ready[zone] = outcome.value
                    done(Outcome.Ok(outcome.value.info))
                }
            }
        }
        loading[zone] = limited
        emitter.emit(SdkEvent.Requested(zone, request.format))
        val isWaitedFor = { limited.isOpen }
        val lateAt = host.clock.ticks() + (request.timeoutMs * ADAPTERS_SHARE).toLong()
        val isLate = { host.clock.ticks() > lateAt }
        link.ask(request, isWaitedFor) { reply ->
            when (reply) {
                is Outcome.Failed -> limited.settle(reply)
                is Outcome.Ok -> prepareFirst(deps, request, reply.value, isWaitedFor, isLate) { outcome ->
                    if (!limited.settle(outcome) && outcome is Outcome.Ok) deps.destroy(outcome.value.first.ad)
                }
            }
        }
    }

    fun show(zone: String, place: Place, done: (Outcome<Shown>) -> Unit) {
        val next = ready[zone]
        val takesScreen = place.isFullScreen && next?.request?.format != Format.AUDIO
        val refused = when {
            isOff -> OFF
            !isZone(zone) -> Failure(ErrorCode.OPTIONS, "showAd needs the zone of a loaded ad")
            next == null -> Failure(ErrorCode.NOT_READY, "No ad of $zone is loaded")
            zone in starting || (takesScreen && fullScreen != null) -> Failure(ErrorCode.BUSY, "Another ad is on the screen")
            else -> null
        }
        if (next == null || refused != null) return done(Outcome.Failed(refused ?: OFF))
        ready.remove(zone)
        if (takesScreen) fullScreen = zone
        val free = {
            if (takesScreen) {
                fullScreen = null
                onScreenFree()
            }
        }
        val show = StartingShow(next.first.ad)
        starting[zone] = show
        var own: Presentation? = null
        val onHidden = {
            free()
            if (shown[zone] === own) shown.remove(zone)
        }
        val end = { outcome: Outcome<Presentation> ->
            if (starting[zone] === show) starting.remove(zone)
            when (outcome) {
                is Outcome.Failed -> {
                    free()
                    done(outcome)
                }
                is Outcome.Ok -> {
                    own = outcome.value
                    // The one before stays until now, so that a place is never empty.
                    shown.put(zone, outcome.value)?.remove()
                    done(Outcome.Ok(Shown(outcome.value.info, next.walk.reply.refreshSeconds)))
                }
            }
        }
        whenSeen(place, { !show.isWanted || next.isExpired }) {
            when {
                !show.isWanted -> end(failed(ErrorCode.DESTROYED, "destroyAd was called"))
                next.isExpired -> {
                    deps.destroy(next.first.ad)
                    end(failed(ErrorCode.EXPIRED, "The ad of $zone has expired: load another"))
                }
                else -> showReady(deps, next, place, show, { host.execute { onHidden() } }, end)
            }
        }
    }

    /** Calls [then] once the place can be seen, or nothing is to be shown any more: an ad in a place counts once it is shown. */
    private fun whenSeen(place: Place, isOver: () -> Boolean, then: () -> Unit) {
        val isUnseen = !place.isFullScreen && (isBackground() || isScreenTaken)
        if (!isUnseen || isOver()) return then()
        host.clock.after(UNSEEN_MS) { whenSeen(place, isOver, then) }
    }

    /** Gives up what a zone loads, has loaded or shows. */
    fun destroy(zone: String) = destroy(zone, Failure(ErrorCode.DESTROYED, "destroyAd was called"))

    fun shutdown() {
        clear(Failure(ErrorCode.DESTROYED, "The SDK was shut down"))
        link.close()
    }

    private fun sessionStarted(reply: InitReply) {
        budget.refill()
        if (reply.isDisabled) switchOff() else isOff = false
    }

    private fun switchOff() {
        if (isOff) return
        isOff = true
        emitter.log(LogLevel.WARN, OFF.message, null)
        clear(OFF)
    }

    private fun clear(why: Failure) {
        for (zone in loading.keys + ready.keys + starting.keys + shown.keys) destroy(zone, why)
    }

    private fun destroy(zone: String, why: Failure) {
        loading[zone]?.settle(Outcome.Failed(why))
        deps.destroy(ready.remove(zone)?.first?.ad)
        starting.remove(zone)?.let { show ->
            show.isWanted = false
            deps.destroy(show.prepared)
        }
        shown[zone]?.remove()
    }
}
