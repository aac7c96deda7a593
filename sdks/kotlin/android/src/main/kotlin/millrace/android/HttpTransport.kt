package millrace.android

import java.io.ByteArrayOutputStream
import java.io.IOException
import java.io.InputStream
import java.net.HttpURLConnection
import java.net.SocketTimeoutException
import java.net.URL
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit
import millrace.core.ErrorCode
import millrace.core.Failure
import millrace.core.Incoming
import millrace.core.Outcome
import millrace.core.Outgoing
import millrace.core.Transport

/** More than an answer has; what goes on after that is not from the server. */
private const val MAX_REPLY_BYTES = 8 * 1024 * 1024
private const val CALLS_AT_ONCE = 6
private val SECONDS = Regex("\\d{1,6}")

/** Sends by `HttpURLConnection`: without cookies or cache, and without following redirects. */
internal class HttpTransport(private val execute: (() -> Unit) -> Unit) : Transport {
    private val calls = Executors.newFixedThreadPool(CALLS_AT_ONCE)
    private val watch = Executors.newSingleThreadScheduledExecutor()

    override fun send(request: Outgoing, done: (Outcome<Incoming>) -> Unit) {
        calls.execute {
            val outcome = try {
                Outcome.Ok(call(request))
            } catch (late: SocketTimeoutException) {
                failed(ErrorCode.TIMEOUT, "no answer within ${request.timeoutMs} ms")
            } catch (cause: Exception) {
                failed(ErrorCode.NETWORK, cause.toString())
            }
            execute { done(outcome) }
        }
    }

    private fun call(request: Outgoing): Incoming {
        val connection = URL(request.url).openConnection() as HttpURLConnection
        // The connection's own limits are for each read; this one is for the whole call.
        val limit = watch.schedule(connection::disconnect, request.timeoutMs, TimeUnit.MILLISECONDS)
        try {
            connection.connectTimeout = request.timeoutMs.toInt()
            connection.readTimeout = request.timeoutMs.toInt()
            // A click redirects to the advertiser's page, which the user opens, not the beacon.
            connection.instanceFollowRedirects = false
            connection.useCaches = false
            request.body?.let { body ->
                connection.doOutput = true
                connection.setRequestProperty("Content-Type", "application/json")
                connection.outputStream.use { it.write(body.toByteArray()) }
            }
            val status = connection.responseCode
            val body = if (status < 400) connection.inputStream else connection.errorStream
            val retryAfter = connection.getHeaderField("Retry-After")?.trim()?.takeIf(SECONDS::matches)
            return Incoming(status, body?.use(::textOf).orEmpty(), retryAfter?.let { it.toLong() * 1000 })
        } finally {
            limit.cancel(false)
            connection.disconnect()
        }
    }

    private fun textOf(body: InputStream): String {
        val bytes = ByteArrayOutputStream()
        val part = ByteArray(16 * 1024)
        while (true) {
            val count = body.read(part)
            if (count < 0) return bytes.toString("UTF-8")
            bytes.write(part, 0, count)
            if (bytes.size() > MAX_REPLY_BYTES) throw IOException("the answer is too long")
        }
    }

    private fun failed(code: ErrorCode, message: String): Outcome<Incoming> = Outcome.Failed(Failure(code, message))
}
