package millrace.core

import java.util.concurrent.CopyOnWriteArrayList

/** A loaded or shown ad: [network] is the id of whoever sold it, [auction] the auction's id, as shown in the dashboard. */
data class AdInfo(val zone: String, val format: Format, val network: String, val auction: String)

/** `EXACT`: the auction's price. `ESTIMATED`: the price that was set for a provider without bidding. */
enum class Precision { EXACT, ESTIMATED }

/** What a user earns, from the app's settings. */
data class Reward(val name: String, val amount: Long)

/** What became of a beacon or ping. */
enum class Delivery { DELIVERED, RETRYING, REFUSED, DROPPED }

/** Each `loadAd` ends with [Loaded] or [LoadFailed], each `showAd` with [Displayed] or [DisplayFailed]. */
sealed class SdkEvent {
    data class Initialized(val latestSdkVersion: String) : SdkEvent()

    data class InitializeFailed(val failure: Failure) : SdkEvent()

    data class Loaded(val ad: AdInfo) : SdkEvent()

    data class LoadFailed(val zone: String, val format: Format, val failure: Failure) : SdkEvent()

    data class Displayed(val ad: AdInfo) : SdkEvent()

    data class DisplayFailed(val zone: String, val failure: Failure) : SdkEvent()

    data class Clicked(val ad: AdInfo) : SdkEvent()

    /** A full-screen ad was closed, or an ad in a view was removed or replaced. */
    data class Hidden(val ad: AdInfo) : SdkEvent()

    /** The user has earned the reward of a rewarded ad. Comes before [Hidden]. */
    data class RewardReceived(val ad: AdInfo, val reward: Reward) : SdkEvent()

    /** The publisher's share of one impression in micro-dollars; [country] is ISO 3166-1 alpha-2, `XX` if it is unknown. */
    data class RevenuePaid(val ad: AdInfo, val priceMicros: Long, val precision: Precision, val country: String) : SdkEvent()

    /** For logs: a request leaves for the server. */
    data class Requested(val zone: String, val format: Format) : SdkEvent()

    /** For logs: what became of a beacon or ping. */
    data class Delivered(val outcome: Delivery, val url: String) : SdkEvent()

    /** A callback of the app threw. */
    data class CallbackFailed(val failure: Failure) : SdkEvent()
}

enum class LogLevel { NONE, ERROR, WARN, INFO, DEBUG }

fun interface Listener {
    fun on(event: SdkEvent)
}

/** Tells the app's listeners where the app lives, and catches whatever they throw. */
internal class Emitter(private val host: Host) {
    private val listeners = CopyOnWriteArrayList<Listener>()

    /** The listener of the options, which misses no event. */
    @Volatile
    var onEvent: Listener? = null

    @Volatile
    var logLevel = LogLevel.WARN

    /** Returns a function that removes the listener. */
    fun add(listener: Listener): () -> Unit {
        listeners.add(listener)
        return { listeners.remove(listener) }
    }

    fun emit(event: SdkEvent) {
        log(levelOf(event), event.javaClass.simpleName, event)
        host.deliver { for (listener in listOfNotNull(onEvent) + listeners) tell(listener, event) }
    }

    fun log(level: LogLevel, text: String, data: Any?) {
        if (level <= logLevel) guarded({}) { host.log(level, text, data) }
    }

    /** Calls a function of the app's. */
    fun call(run: () -> Unit) = host.deliver { guarded({ emit(failureOf(it)) }, run) }

    private fun tell(listener: Listener, event: SdkEvent) {
        // A listener that fails at this very event would be called for ever.
        guarded({ if (event !is SdkEvent.CallbackFailed) emit(failureOf(it)) }) { listener.on(event) }
    }

    private fun failureOf(thrown: Throwable) =
        SdkEvent.CallbackFailed(Failure(ErrorCode.CALLBACK, messageOf(thrown)))

    private fun levelOf(event: SdkEvent): LogLevel = when (event) {
        is SdkEvent.InitializeFailed, is SdkEvent.CallbackFailed -> LogLevel.ERROR
        is SdkEvent.LoadFailed, is SdkEvent.DisplayFailed -> LogLevel.WARN
        is SdkEvent.Requested, is SdkEvent.Delivered -> LogLevel.DEBUG
        else -> LogLevel.INFO
    }
}
