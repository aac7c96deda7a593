package millrace.android

import android.app.Activity
import android.app.Application
import android.net.ConnectivityManager
import android.net.Network
import android.os.Bundle
import millrace.core.AdInfo
import millrace.core.AdRequest
import millrace.core.Adapter
import millrace.core.ConsentSource
import millrace.core.Listener
import millrace.core.LogLevel
import millrace.core.Options
import millrace.core.Outcome
import millrace.core.Platform
import millrace.core.Sdk
import millrace.core.SdkEvent
import millrace.core.Shown

/**
 * The SDK for Android apps. Its functions may be called on any thread, return at once and throw nothing; results and events come on the main
 * thread.
 */
class Millrace(private val application: Application, private val endpoint: String) {
    private val sdk = Sdk(AndroidHost(application), WebAds(application, endpoint))
    private var started = 0

    init {
        application.registerActivityLifecycleCallbacks(Foreground())
        val connectivity = application.getSystemService(ConnectivityManager::class.java)
        connectivity?.registerNetworkCallback(
            android.net.NetworkRequest.Builder().build(),
            object : ConnectivityManager.NetworkCallback() {
                override fun onAvailable(network: Network) = sdk.online()
            },
        )
    }

    /** Starts the SDK, or restarts it for other options. [app] is the app's public key, from its Integrate page. */
    fun initialize(
        app: String,
        consent: ConsentSource = StoredConsentSource(application, hasPlatform = false),
        platform: Platform = platformOf(application),
        advertisingId: () -> AdvertisingId? = { null },
        test: Boolean = false,
        logLevel: LogLevel = LogLevel.WARN,
        downloadBudgetMb: Double? = null,
        onEvent: Listener? = null,
        done: (Outcome<SdkEvent.Initialized>) -> Unit = {},
    ) = sdk.initialize(
        Options(
            app = app,
            endpoint = endpoint,
            platform = platform,
            device = { deviceFacts(application, advertisingId) },
            consent = consent,
            test = test,
            logLevel = logLevel,
            downloadBudgetMb = downloadBudgetMb,
            onEvent = onEvent,
        ),
        done,
    )

    fun loadAd(request: AdRequest, done: (Outcome<AdInfo>) -> Unit = {}) = sdk.loadAd(request, done)

    fun isAdReady(zone: String): Boolean = sdk.isAdReady(zone)

    fun showAd(zone: String, place: AndroidPlace, done: (Outcome<Shown>) -> Unit = {}) = sdk.showAd(zone, place, done)

    /** Keeps a view filled with banners, until [destroyAd]. Tell by [setVisible] when it cannot be seen. */
    fun showBanner(request: AdRequest, place: AndroidPlace, refreshSeconds: Long? = null, done: (Outcome<Shown>) -> Unit = {}) =
        sdk.showBanner(request, place, refreshSeconds, done = done)

    fun setVisible(zone: String, isVisible: Boolean) = sdk.setVisible(zone, isVisible)

    fun destroyAd(zone: String) = sdk.destroyAd(zone)

    fun registerAdapter(name: String, adapter: Adapter): () -> Unit = sdk.registerAdapter(name, adapter)

    fun addListener(listener: Listener): () -> Unit = sdk.addListener(listener)

    fun shutdown() = sdk.shutdown()

    /** The app is in the foreground while one of its activities is started. */
    private inner class Foreground : Application.ActivityLifecycleCallbacks {
        override fun onActivityStarted(activity: Activity) {
            started += 1
            if (started == 1) sdk.foreground()
        }

        override fun onActivityStopped(activity: Activity) {
            started = maxOf(0, started - 1)
            // An activity that turns with the screen is stopped and started anew.
            if (started == 0 && !activity.isChangingConfigurations) sdk.background()
        }

        override fun onActivityCreated(activity: Activity, state: Bundle?) = Unit

        override fun onActivityResumed(activity: Activity) = Unit

        override fun onActivityPaused(activity: Activity) = Unit

        override fun onActivitySaveInstanceState(activity: Activity, state: Bundle) = Unit

        override fun onActivityDestroyed(activity: Activity) = Unit
    }
}
