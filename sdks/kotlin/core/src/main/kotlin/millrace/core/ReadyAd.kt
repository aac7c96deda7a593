package millrace.core

/** A loaded ad that waits to be shown, and the walk that continues after it. */
internal class ReadyAd(
    private val clock: Clock,
    val request: AdRequest,
    val walk: Walk,
    val first: Prepared,
) {
    private val loadedAt = clock.now()
    private val loadedTicks = clock.ticks()
    val info = infoOf(first.step)

    fun infoOf(step: Step) = AdInfo(request.zone, request.format, step.provider, walk.reply.auction)

    /** Clocks can be set, and monotonic ones may stand still while a device sleeps: whichever moved further counts. */
    val isExpired: Boolean
        get() = maxOf(clock.now() - loadedAt, clock.ticks() - loadedTicks) >= walk.reply.expiresSeconds * 1000
}

/** Prepares the first ad of a reply. See `Walk.next`. */
internal fun prepareFirst(
    deps: AdDeps,
    request: AdRequest,
    reply: AdReply,
    isWaitedFor: () -> Boolean,
    isLate: () -> Boolean,
    done: (Outcome<ReadyAd>) -> Unit,
) {
    val walk = Walk(deps, request, reply)
    walk.next(isWaitedFor, isLate) { first ->
        done(if (first == null) Outcome.Failed(walk.failure) else Outcome.Ok(ReadyAd(deps.host.clock, request, walk, first)))
    }
}

/** A show that has begun, which can be given up until the ad is on the screen. */
internal class StartingShow(var prepared: PreparedAd) {
    var isWanted = true
}

/**
 * Shows a ready ad or, if it cannot be shown, the first of those after it that can. Reports the impression once, and a loss for each
 * step that was passed over.
 */
internal fun showReady(
    deps: AdDeps,
    ready: ReadyAd,
    place: Place,
    show: StartingShow,
    onHidden: () -> Unit,
    done: (Outcome<Presentation>) -> Unit,
) {
    val walk = ready.walk
    fun show(next: Prepared) {
        show.prepared = next.ad
        val presentation = Presentation(deps, ready.infoOf(next.step), next, onHidden)
        presentation.start(place) { failure ->
            if (!show.isWanted) {
                deps.destroy(next.ad)
                return@start done(failed(ErrorCode.DESTROYED, "destroyAd was called"))
            }
            if (failure == null) {
                presentation.report(walk.reply.country)
                for (loser in walk.passedOver) deps.queue.add(loser.beacons.loss)
                return@start done(Outcome.Ok(presentation))
            }
            walk.passOver(next.step, failure)
            walk.next({ show.isWanted }) { following ->
                when {
                    !show.isWanted -> {
                        deps.destroy(following?.ad)
                        done(failed(ErrorCode.DESTROYED, "destroyAd was called"))
                    }
                    following != null -> show(following)
                    else -> done(failed(ErrorCode.RENDER, "None of the ads could be shown"))
                }
            }
        }
    }
    show(ready.first)
}
