package millrace.core

/** A running session as stored, so that an app that was restarted continues it. */
private class RunningSession(
    val reply: InitReply,
    /** Its last activity, in epoch milliseconds. */
    var aliveAt: Long,
    /** The number of the last ping. */
    var seq: Long,
)

/** Starts, continues and ends sessions, and pings while the app is in the foreground. */
internal class Sessions(
    private val host: Host,
    private val transport: Transport,
    private val endpoint: String,
    private val key: String,
    private val queue: DeliveryQueue,
    /** Makes the message that starts a session, once consent is known. */
    private val message: (done: (Outcome<Map<String, Any?>>) -> Unit) -> Unit,
    private val onStart: (InitReply) -> Unit,
    /** A start that nobody waits for has failed. */
    private val onFailure: (Failure) -> Unit,
) {
    private val clock = host.clock
    private var running = restore()
    private val waiting = mutableListOf<(Outcome<InitReply>) -> Unit>()
    private var failures = 0
    private var mayStartAt = Long.MIN_VALUE
    private var lastFailure = Failure(ErrorCode.NETWORK, "Not started")

    /** Since when foreground time has not been pinged, in ticks; null in the background. */
    private var countedFrom: Long? = null
    private var cancel: () -> Unit = {}

    /** The running session, or a new one after half an hour of inactivity. */
    fun current(done: (Outcome<InitReply>) -> Unit) {
        val session = running
        if (session != null && !isSilent(session)) {
            session.aliveAt = clock.now()
            keep()
            done(Outcome.Ok(session.reply))
            return
        }
        waiting.add(done)
        if (waiting.size == 1) start()
    }

    /** The server no longer accepts this session: the next [current] starts another one. */
    fun forget(session: String) {
        if (running?.reply?.session != session) return
        running = null
        keep()
    }

    fun foreground() {
        if (countedFrom != null) return
        countedFrom = clock.ticks()
        begin()
        tick()
    }

    fun background() {
        ping()
        countedFrom = null
        cancel()
    }

    /** The device is back online: a failed start may be retried at once. */
    fun retry() {
        mayStartAt = Long.MIN_VALUE
        if (countedFrom != null) begin()
    }

    fun close() = background()

    private fun restore(): RunningSession? {
        val kept = runCatching { host.storage.get(key) }.getOrNull()?.let { Json.parse(it) } as? Map<*, *> ?: return null
        val reply = readInitReply(kept["reply"]) ?: return null
        val aliveAt = kept["aliveAt"] as? Double ?: return null
        val seq = kept["seq"] as? Double ?: return null
        return RunningSession(reply, aliveAt.toLong(), seq.toLong())
    }

    private fun keep() {
        // Without storage the session lives as long as the app's process.
        runCatching {
            val session = running ?: return@runCatching host.storage.remove(key)
            val reply = with(session.reply) {
                mapOf(
                    "session" to this.session,
                    "session_timeout_seconds" to sessionTimeoutSeconds,
                    "ping_seconds" to pingSeconds,
                    "latest_sdk_version" to latestSdkVersion,
                    "zones" to emptyList<Any>(),
                )
            }
            host.storage.set(key, Json.write(mapOf("reply" to reply, "aliveAt" to session.aliveAt, "seq" to session.seq)))
        }
    }

    private fun isSilent(session: RunningSession): Boolean =
        clock.now() - session.aliveAt > session.reply.sessionTimeoutSeconds * 1000

    private fun start() {
        if (clock.ticks() < mayStartAt) {
            answer(Outcome.Failed(lastFailure))
            return
        }
        message { made ->
            when (made) {
                is Outcome.Failed -> ended(made)
                is Outcome.Ok -> callServer(host, transport, "$endpoint/sdk/v1/init", made.value, ::readInitReply, ::ended)
            }
        }
    }

    private fun ended(outcome: Outcome<InitReply>) {
        when (outcome) {
            is Outcome.Failed -> {
                failures += 1
                mayStartAt = clock.ticks() + backoffMs(failures, host)
                lastFailure = outcome.failure
            }
            is Outcome.Ok -> {
                failures = 0
                running = RunningSession(outcome.value, clock.now(), 0)
                if (countedFrom != null) countedFrom = clock.ticks()
                keep()
                onStart(outcome.value)
                tick()
            }
        }
        answer(outcome)
    }

    private fun answer(outcome: Outcome<InitReply>) {
        val all = waiting.toList()
        waiting.clear()
        for (each in all) each(outcome)
    }

    /** Reports the foreground time since the last ping. */
    private fun ping() {
        val session = running ?: return
        val from = countedFrom ?: return
        if (isSilent(session)) return
        // Time that the device was asleep does not count.
        val passedMs = minOf(clock.ticks() - from, 2000 * session.reply.pingSeconds)
        val seconds = passedMs / 1000
        if (seconds < 1) return
        countedFrom = clock.ticks() - passedMs % 1000
        session.seq += 1
        session.aliveAt = clock.now()
        keep()
        val message = mapOf("session" to session.reply.session, "seq" to session.seq, "seconds" to seconds)
        queue.add("$endpoint/sdk/v1/ping", Json.write(message))
    }

    private fun tick() {
        cancel()
        val session = running
        if (countedFrom == null || session == null) return
        cancel = clock.after(session.reply.pingSeconds * 1000) {
            if (running?.let(::isSilent) == true) begin() else ping()
            tick()
        }
    }

    private fun begin() = current { if (it is Outcome.Failed) onFailure(it.failure) }
}
