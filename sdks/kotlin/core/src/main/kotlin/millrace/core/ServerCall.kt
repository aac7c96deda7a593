package millrace.core

private const val REPLY_TIMEOUT_MS = 8_000L
private const val MAX_REASON = 200

/** A transport keeps the limit itself; this is for those that do not. */
private const val GRACE_MS = 1_000L

/** Posts a message. The outcome is its reply if that has status 200 and [read] accepts it. */
internal fun <T : Any> callServer(
    host: Host,
    transport: Transport,
    url: String,
    message: Map<String, Any?>,
    read: (Any?) -> T?,
    done: (Outcome<T>) -> Unit,
) {
    send(host, transport, Outgoing(url, Json.write(message), REPLY_TIMEOUT_MS)) { answer ->
        done(
            when (answer) {
                is Outcome.Failed -> Outcome.Failed(Failure(answer.failure.code, "No reply from $url: ${answer.failure.message}"))
                is Outcome.Ok -> outcomeOf(url, answer.value, read)
            },
        )
    }
}

/** Sends a request. [done] is called once, also if the transport throws, or answers twice or never. */
internal fun send(host: Host, transport: Transport, request: Outgoing, done: (Outcome<Incoming>) -> Unit) {
    val late = { Failure(ErrorCode.TIMEOUT, "no answer within ${request.timeoutMs} ms") }
    val limited = Limited(host.clock, request.timeoutMs + GRACE_MS, late, done)
    guarded({ limited.settle(failed(ErrorCode.NETWORK, messageOf(it))) }) { transport.send(request) { limited.settle(it) } }
}

private fun <T : Any> outcomeOf(url: String, reply: Incoming, read: (Any?) -> T?): Outcome<T> {
    val json = Json.parse(reply.text)
    if (reply.status != 200) {
        return Outcome.Failed(Failure(codeOf(reply.status), "$url answered ${reply.status}${sentence(json)}", reply.status))
    }
    val value = read(json) ?: return failed(ErrorCode.BAD_REPLY, "The reply from $url is not from Millrace")
    return Outcome.Ok(value)
}

private fun codeOf(status: Int): ErrorCode = when {
    status == 429 -> ErrorCode.TOO_MANY
    status >= 500 -> ErrorCode.SERVER
    status >= 400 -> ErrorCode.REFUSED
    else -> ErrorCode.BAD_REPLY
}

/** The server's reason, if it gave one. */
private fun sentence(json: Any?): String {
    val said = (json as? Map<*, *>)?.get("error") ?: return ""
    return ": ${(said as? String ?: Json.write(said)).take(MAX_REASON)}"
}
