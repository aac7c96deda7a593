package millrace.sample

import android.app.Activity
import android.app.Application
import android.os.Bundle
import android.util.Log
import android.widget.Button
import android.widget.FrameLayout
import android.widget.LinearLayout
import millrace.android.AndroidPlace
import millrace.android.Millrace
import millrace.core.AdRequest
import millrace.core.Format
import millrace.core.LogLevel
import millrace.core.Outcome
import millrace.core.SdkEvent

/** Ads of a platform on the developer's own computer, as an emulator sees it. One SDK serves the whole app, however often an activity is made anew. */
class SampleApplication : Application() {
    lateinit var ads: Millrace
        private set

    override fun onCreate() {
        super.onCreate()
        ads = Millrace(this, endpoint = "http://10.0.2.2:8080")
        ads.addListener { event -> if (event is SdkEvent.RewardReceived) Log.i("Sample", "${event.reward.amount} ${event.reward.name}") }
        ads.initialize(app = "the key from the app's Integrate page", test = true, logLevel = LogLevel.INFO)
    }
}

/** A banner and a rewarded ad. */
class SampleActivity : Activity() {
    private val ads get() = (application as SampleApplication).ads

    override fun onCreate(state: Bundle?) {
        super.onCreate(state)
        val banner = FrameLayout(this)
        val watch = Button(this).apply { text = "Watch a video for 5 coins" }
        setContentView(
            LinearLayout(this).apply {
                orientation = LinearLayout.VERTICAL
                addView(watch)
                addView(banner, LinearLayout.LayoutParams.MATCH_PARENT, (50 * resources.displayMetrics.density).toInt())
            },
        )
        ads.showBanner(AdRequest("home", Format.BANNER, 320, 50), AndroidPlace(this, banner))
        watch.setOnClickListener {
            ads.loadAd(AdRequest("extra_life", Format.REWARDED)) { loaded ->
                if (loaded is Outcome.Ok) ads.showAd("extra_life", AndroidPlace(this))
            }
        }
    }

    override fun onDestroy() {
        ads.destroyAd("home")
        super.onDestroy()
    }
}
