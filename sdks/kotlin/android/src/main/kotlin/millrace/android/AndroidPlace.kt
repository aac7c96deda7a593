package millrace.android

import android.app.Activity
import android.view.ViewGroup
import millrace.core.Place

/** Where an ad is shown: over the whole screen of [activity] or, with [into], in that view. */
class AndroidPlace(
    val activity: Activity,
    val into: ViewGroup? = null,
    /** Seconds until a full-screen ad can be closed. A video's own skip offset goes before it. */
    val skipAfterSeconds: Int = 5,
) : Place {
    override val isFullScreen get() = into == null
}
