package millrace.core

/** The limit of one step: a slow ad must not use up the time of all others. */
private const val STEP_LIMIT_MS = 4_000L
private const val ADAPTER_LIMIT_MS = 3_500L

private val NOT_SHOWABLE = Failure(ErrorCode.RENDER, "None of the ads can be shown")

/** What preparing and showing ads needs. */
internal class AdDeps(
    val host: Host,
    val options: Options,
    val renderer: Renderer,
    val adapters: Map<String, Adapter>,
    val budget: DownloadBudget,
    val queue: DeliveryQueue,
    val emitter: Emitter,
) {
    fun destroy(prepared: PreparedAd?) {
        if (prepared == null) return
        host.deliver { guarded({ emitter.log(LogLevel.INFO, "an ad could not be removed", it) }, prepared::destroy) }
    }

    /** Tells the server what became of an adapter: `filled`, `no_fill`, `failed`, `timed_out` or `not_registered`. */
    fun report(step: Step.OfAdapter, outcome: String) = queue.add("${step.player}&e=$outcome")
}

internal class Prepared(val step: Step, val ad: PreparedAd)

/** The order of an answer's ads and adapters, walked from the best on. */
internal class Walk(private val deps: AdDeps, private val request: AdRequest, val reply: AdReply) {
    private val left = ArrayDeque(if (deps.adapters.isEmpty()) reply.ads else reply.steps)

    /** The steps that could not be shown; a loss is reported for them once another shows. */
    val passedOver = mutableListOf<Step>()

    /** Why the last ad could not be shown; an adapter without an ad is no failure of the platform's ads. */
    var failure = Failure(ErrorCode.NO_AD, reply.reason ?: "No ad")
        private set

    /**
     * Prepares the first step that can be prepared, and takes it and those before it off the order. Null if none can, or once
     * nobody waits. `isLate` tells that an adapter might use up the rest of the time: then those before an ad are passed over.
     */
    fun next(isWaitedFor: () -> Boolean, isLate: () -> Boolean = { false }, done: (Prepared?) -> Unit) {
        if (isWaitedFor() && isLate() && left.any { it is Step.OfAd }) {
            while (left.first() is Step.OfAdapter) passedOver.add(left.removeFirst())
        }
        val step = if (isWaitedFor()) left.removeFirstOrNull() else null
        if (step == null) return done(null)
        val ended = { outcome: Outcome<PreparedAd> ->
            when (outcome) {
                is Outcome.Ok -> done(Prepared(step, outcome.value))
                is Outcome.Failed -> {
                    passOver(step, outcome.failure)
                    next(isWaitedFor, isLate, done)
                }
            }
        }
        when (step) {
            is Step.OfAd -> render(step.ad, ended)
            is Step.OfAdapter -> load(step, ended)
        }
    }

    fun passOver(step: Step, why: Failure) {
        if (step is Step.OfAd) failure = why
        passedOver.add(step)
        deps.emitter.log(LogLevel.INFO, "${step.provider} shows nothing", why)
    }

    private fun render(ad: Ad, ended: (Outcome<PreparedAd>) -> Unit) {
        if (!deps.budget.take(ad.content.length.toLong())) return ended(Outcome.Failed(BUDGET_USED))
        prepare(STEP_LIMIT_MS, ended) { settle ->
            deps.renderer.prepare(ad, request.format, deps.budget) { prepared ->
                settle(if (prepared == null) Outcome.Failed(NOT_SHOWABLE) else Outcome.Ok(prepared))
            }
        }
    }

    private fun load(step: Step.OfAdapter, ended: (Outcome<PreparedAd>) -> Unit) {
        val adapter = deps.adapters[step.adapter]
        if (adapter == null) {
            deps.report(step, "not_registered")
            return ended(failed(ErrorCode.NO_AD, "There is no adapter ${step.adapter}"))
        }
        val asked = with(request) { AdapterRequest(zone, format, w, h, step.params, deps.options.test, ADAPTER_LIMIT_MS) }
        val report = { outcome: Outcome<PreparedAd> ->
            deps.report(step, outcomeOf(outcome))
            ended(outcome)
        }
        prepare(ADAPTER_LIMIT_MS, report) { settle ->
            adapter.load(asked) { result ->
                settle(
                    when (result) {
                        is AdapterResult.Loaded -> Outcome.Ok(result.ad)
                        is AdapterResult.NoFill -> failed(ErrorCode.NO_AD, "The adapter ${step.adapter} has no ad")
                        is AdapterResult.Failed -> failed(ErrorCode.RENDER, result.message)
                    },
                )
            }
        }
    }

    /** Runs code that makes an ad ready, within a limit. An ad that comes later is destroyed. */
    private fun prepare(limitMs: Long, ended: (Outcome<PreparedAd>) -> Unit, run: (settle: (Outcome<PreparedAd>) -> Unit) -> Unit) {
        val late = { Failure(ErrorCode.TIMEOUT, "The ad took too long") }
        val limited = Limited(deps.host.clock, limitMs, late, ended)
        val settle = { outcome: Outcome<PreparedAd> ->
            deps.host.execute { if (!limited.settle(outcome) && outcome is Outcome.Ok) deps.destroy(outcome.value) }
        }
        deps.host.deliver { guarded({ settle(failed(ErrorCode.RENDER, messageOf(it))) }) { run(settle) } }
    }
}

private fun outcomeOf(outcome: Outcome<PreparedAd>): String = when (outcome) {
    is Outcome.Ok -> "filled"
    is Outcome.Failed -> when (outcome.failure.code) {
        ErrorCode.NO_AD -> "no_fill"
        ErrorCode.TIMEOUT -> "timed_out"
        else -> "failed"
    }
}
