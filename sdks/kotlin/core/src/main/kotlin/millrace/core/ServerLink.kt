package millrace.core

/** Statuses of a session that the server does not accept, or no longer. */
private val SESSION_GONE = setOf(401, 403, 404, 410)

/** Everything that is sent to the platform for one app. */
internal class ServerLink(
    private val host: Host,
    private val options: Options,
    private val emitter: Emitter,
    private val adapters: Map<String, Adapter>,
    onStart: (InitReply) -> Unit,
    private val onSwitchOff: () -> Unit,
) {
    private val endpoint = options.endpoint.trimEnd('/')
    private val prefix = "millrace.${options.app}."
    private val transport = Transport { request, done ->
        host.transport.send(request) { outcome ->
            if (outcome is Outcome.Ok && outcome.value.status == 200 && isSwitchOff(Json.parse(outcome.value.text))) onSwitchOff()
            done(outcome)
        }
    }
    private var pending = 0
    private var isClosed = false

    val queue = DeliveryQueue(host, transport, "${prefix}out.") { outcome, url -> emitter.emit(SdkEvent.Delivered(outcome, url)) }

    val sessions = Sessions(
        host,
        transport,
        endpoint,
        "${prefix}session",
        queue,
        ::startMessage,
        { if (!isClosed) onStart(it) },
    ) { emitter.log(LogLevel.WARN, "a session could not be started", it) }

    /** True while the app's consent source has not answered. */
    val isConsentPending: Boolean get() = pending > 0

    /** Requests ads. [isWaitedFor] is false once nobody waits for them, so that nothing more is sent. */
    fun ask(request: AdRequest, isWaitedFor: () -> Boolean, done: (Outcome<AdReply>) -> Unit) = ask(request, isWaitedFor, true, done)

    fun close() {
        isClosed = true
        sessions.close()
        queue.close()
    }

    private fun ask(request: AdRequest, isWaitedFor: () -> Boolean, again: Boolean, done: (Outcome<AdReply>) -> Unit) {
        sessions.current { started ->
            if (started is Outcome.Failed) return@current done(started)
            val session = (started as Outcome.Ok).value.session
            facts { told ->
                if (told is Outcome.Failed) return@facts done(told)
                if (!isWaitedFor()) return@facts done(failed(ErrorCode.TIMEOUT, "Nobody waits for this ad any more"))
                val message = adMessage(request, session) + (told as Outcome.Ok).value
                callServer(host, transport, "$endpoint/sdk/v1/ad", message, ::readAdReply) { outcome ->
                    // A session that the server does not accept is replaced once; no auction was held for it.
                    if (again && outcome is Outcome.Failed && outcome.failure.status in SESSION_GONE) {
                        sessions.forget(session)
                        ask(request, isWaitedFor, false, done)
                    } else {
                        done(outcome)
                    }
                }
            }
        }
    }

    private fun adMessage(request: AdRequest, session: String): Map<String, Any?> = mapOf(
        "session" to session,
        "zone" to request.zone,
        "format" to request.format.id,
        "w" to request.w,
        "h" to request.h,
        "user_id" to request.userId,
        "custom_data" to request.customData,
        "bidder_tokens" to request.bidderTokens,
        "test" to if (options.test) 1 else null,
        "adapters" to adapters.keys.takeIf { it.isNotEmpty() },
    )

    private fun startMessage(done: (Outcome<Map<String, Any?>>) -> Unit) = facts { told ->
        done(
            when (told) {
                is Outcome.Failed -> told
                is Outcome.Ok -> {
                    val install = installation(host, prefix, options)
                    val own = mapOf(
                        "app" to options.app,
                        "platform" to options.platform.id,
                        "sdk_version" to VERSION,
                        "install_id" to install.id,
                        "first_day" to install.firstDay,
                    )
                    Outcome.Ok(own + told.value)
                }
            },
        )
    }

    /** Consent first: before it is known, nothing is read from the device and nothing is sent. */
    private fun facts(done: (Outcome<Map<String, Any?>>) -> Unit) {
        pending += 1
        var isOpen = true
        val once = { outcome: Outcome<Map<String, Any?>> ->
            if (isOpen) {
                isOpen = false
                pending -= 1
                done(outcome)
            }
        }
        val broken = { thrown: Throwable -> once(failed(ErrorCode.CALLBACK, messageOf(thrown))) }
        guarded(broken) {
            options.consent.read { consent ->
                host.execute {
                    var told: Map<String, Any?>? = null
                    guarded(broken) { told = mapOf("device" to options.device().toJson(consent), "consent" to consent.toJson()) }
                    told?.let { once(Outcome.Ok(it)) }
                }
            }
        }
    }
}
