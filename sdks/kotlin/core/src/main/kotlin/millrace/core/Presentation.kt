package millrace.core

private const val SHOW_LIMIT_MS = 12_000L

/** The CPM above which the server refuses an impression. */
private const val MOST_PAID_MICROS = 1_000_000_000L

/** One try to show an ad, and its events from then on. */
internal class Presentation(
    private val deps: AdDeps,
    val info: AdInfo,
    private val shown: Prepared,
    private val onHidden: () -> Unit,
) {
    private enum class State { STARTING, SHOWN, GONE }

    private val beacons = shown.step.beacons
    private var state = State.STARTING
    private var isRewarded = false
    private var isClicked = false

    /** What an adapter's seller pays, if its SDK tells: CPM in micro-dollars. */
    private var paid: Long? = null

    /** An ad may report events while it is about to start; apps hear of them after `displayed`. */
    private val early = mutableListOf<() -> Unit>()

    private val events = object : ShowEvents {
        override fun clicked() = deps.host.execute { once(::click) }

        override fun rewarded() = deps.host.execute { once(::reward) }

        override fun hidden() = deps.host.execute { once(::hide) }
    }

    /** Calls [done] with null once the ad is on the screen, otherwise with the reason why it is not. */
    fun start(place: Place, done: (Failure?) -> Unit) {
        val late = { Failure(ErrorCode.TIMEOUT, "The ad did not start") }
        val limited = Limited<Boolean>(deps.host.clock, SHOW_LIMIT_MS, late) { outcome ->
            val failure = when (outcome) {
                is Outcome.Failed -> outcome.failure
                is Outcome.Ok -> if (outcome.value) null else Failure(ErrorCode.RENDER, "The ad could not be shown")
            }
            if (failure != null) {
                state = State.GONE
                deps.destroy(shown.ad)
                (shown.step as? Step.OfAdapter)?.let { deps.report(it, "failed") }
            }
            done(failure)
        }
        deps.host.deliver {
            guarded({ deps.host.execute { limited.settle(failed(ErrorCode.RENDER, messageOf(it))) } }) {
                shown.ad.show(place, events) { starts ->
                    val told = if (starts) paidMicros() else null
                    deps.host.execute {
                        if (limited.isOpen) paid = told
                        limited.settle(Outcome.Ok(starts))
                    }
                }
            }
        }
    }

    /** The ad is on the screen: reports the impression and tells the app. */
    fun report(country: String) {
        deps.queue.add(impression())
        deps.emitter.emit(SdkEvent.Displayed(info))
        val priceMicros = paid?.let(::perImpression) ?: shown.step.revenueMicros
        deps.emitter.emit(SdkEvent.RevenuePaid(info, priceMicros, shown.step.precision, country))
        state = State.SHOWN
        for (run in early) if (state == State.SHOWN) run()
        early.clear()
    }

    /** Removes the ad. */
    fun remove() = once(::hide)

    private fun impression() = beacons.impression + if (paid == null) "" else "&paid_micros=$paid"

    private fun once(run: () -> Unit) {
        when (state) {
            State.STARTING -> early.add(run)
            State.SHOWN -> run()
            State.GONE -> Unit
        }
    }

    private fun click() {
        if (isClicked) return
        isClicked = true
        // The server takes no click without its impression.
        deps.queue.add(beacons.click, after = impression())
        deps.emitter.emit(SdkEvent.Clicked(info))
    }

    private fun reward() {
        if (isRewarded || info.format != Format.REWARDED) return
        isRewarded = true
        // The server confirms the reward to the app's own.
        beacons.reward?.let { deps.queue.add(it) }
        deps.emitter.emit(SdkEvent.RewardReceived(info, shown.step.reward))
    }

    private fun hide() {
        state = State.GONE
        deps.destroy(shown.ad)
        deps.emitter.emit(SdkEvent.Hidden(info))
        onHidden()
    }

    /** The CPM that the adapter's SDK tells, if it can be true. */
    private fun paidMicros(): Long? {
        var told: Long? = null
        guarded({ deps.emitter.log(LogLevel.INFO, "an adapter does not tell its price", it) }) {
            if (shown.step is Step.OfAdapter) told = shown.ad.paidMicros
        }
        return told?.takeIf { it in 0..MOST_PAID_MICROS }
    }
}
