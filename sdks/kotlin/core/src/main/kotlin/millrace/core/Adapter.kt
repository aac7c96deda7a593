package millrace.core

/** Where an ad is shown, as the host knows places. */
interface Place {
    /** True if the ad takes the whole screen. */
    val isFullScreen: Boolean
}

/** What an ad tells while it is shown. Callable on any thread. */
interface ShowEvents {
    fun clicked()

    /** The user has earned the reward of a rewarded ad. */
    fun rewarded()

    /** The ad was closed. */
    fun hidden()
}

/** An ad that can be shown at once. Its methods are called where ads live: on Android's main thread. */
interface PreparedAd {
    /** Calls [started] with true once it starts to render, with false if it cannot. */
    fun show(place: Place, events: ShowEvents, started: (Boolean) -> Unit)

    /** Removes it and frees what it holds. Does nothing the second time. */
    fun destroy()

    /** Of an adapter: what its seller pays for this ad, if its SDK tells it: CPM in micro-dollars. It is read once the ad shows. */
    val paidMicros: Long? get() = null
}

/** Makes the platform's own ads ready to be shown. */
fun interface Renderer {
    /** Calls [done] with the ad, or with null if the host cannot show it. */
    fun prepare(ad: Ad, format: Format, budget: DownloadBudget, done: (PreparedAd?) -> Unit)
}

/** What an adapter is asked for: [params] are those of the line item in the dashboard. */
class AdapterRequest internal constructor(
    val zone: String,
    val format: Format,
    val w: Int?,
    val h: Int?,
    val params: Map<String, String>,
    val test: Boolean,
    /** An ad that is loaded later is not shown, but destroyed. */
    val timeoutMs: Long,
)

sealed class AdapterResult {
    class Loaded(val ad: PreparedAd) : AdapterResult()

    /** The SDK has no ad at the moment. */
    object NoFill : AdapterResult()

    class Failed(val message: String) : AdapterResult()
}

/** Another company's SDK, which the app brings for line items of the kind SDK adapter. Called where ads live. */
fun interface Adapter {
    /** Calls [done] once, on any thread. */
    fun load(request: AdapterRequest, done: (AdapterResult) -> Unit)
}

/** As the dashboard takes them. */
private val NAME = Regex("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")

/** The server refuses requests that name more. */
private const val MAX_ADAPTERS = 50

/** Whether one more adapter can have this name. */
internal fun isAdapterName(name: String, others: Map<String, Adapter>): Boolean =
    NAME.matches(name) && (name in others || others.size < MAX_ADAPTERS)
