package millrace.core

// What the core needs from its host: a phone, a television or a simulated device.

interface Clock {
    /** Epoch milliseconds. Jumps if the device's clock is set. Callable on any thread. */
    fun now(): Long

    /** Milliseconds of a monotonic clock, for durations. Callable on any thread. */
    fun ticks(): Long

    /** Runs a function once after [delayMs], on the SDK's thread. Returns a function that cancels it. */
    fun after(delayMs: Long, run: () -> Unit): () -> Unit
}

/** Strings by key, durable once [set] returns. Every method may throw (a full disk); callers then use memory only. */
interface Storage {
    fun keys(): Collection<String>

    fun get(key: String): String?

    fun set(key: String, value: String)

    fun remove(key: String)
}

/** A request: [body] is JSON to send by POST; without it the request is a GET. */
class Outgoing(val url: String, val body: String?, val timeoutMs: Long)

/** A reply: [text] is its body, [retryAfterMs] is from the Retry-After header, if there is one. */
class Incoming(val status: Int, val text: String, val retryAfterMs: Long? = null)

/** Sends requests without following redirects, without cookies and without a cache. */
fun interface Transport {
    /**
     * Calls [done] once, on the SDK's thread: with the reply, or with the reason why there is none. A transport that calls it
     * twice, late or never does no harm.
     */
    fun send(request: Outgoing, done: (Outcome<Incoming>) -> Unit)
}

/** In memory only, for tests and for devices whose storage fails. */
class MemoryStorage : Storage {
    private val values = mutableMapOf<String, String>()

    override fun keys(): Collection<String> = values.keys.toList()

    override fun get(key: String): String? = values[key]

    override fun set(key: String, value: String) {
        values[key] = value
    }

    override fun remove(key: String) {
        values.remove(key)
    }
}

interface Host {
    val clock: Clock
    val storage: Storage
    val transport: Transport

    /** In [0, 1) and cryptographic, because installation ids must not collide between devices; also used for jitter. */
    fun random(): Double

    /** Runs a function on the SDK's one thread, in the order of the calls. The core keeps its state on this thread. */
    fun execute(run: () -> Unit)

    /** Runs a function where the app and its ads live: on Android's main thread. */
    fun deliver(run: () -> Unit)

    /** Writes a line to the log, with the data that explains it. */
    fun log(level: LogLevel, text: String, data: Any?)
}
