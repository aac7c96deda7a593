package millrace.android

import android.annotation.SuppressLint
import android.app.Dialog
import android.content.Context
import android.net.Uri
import android.view.View
import android.view.ViewGroup
import android.webkit.RenderProcessGoneDetail
import android.webkit.WebMessage
import android.webkit.WebMessagePort
import android.webkit.WebView
import android.webkit.WebViewClient
import millrace.core.Ad
import millrace.core.DownloadBudget
import millrace.core.Format
import millrace.core.Json
import millrace.core.Place
import millrace.core.PreparedAd
import millrace.core.Renderer
import millrace.core.ShowEvents

/**
 * Shows ads in a web view with the platform's own renderers (HTML, MRAID, VAST, Native), which isolate markup in frames without an origin. The app
 * and the page speak through a message port, because an interface that is added to a web view would be open to the ads' frames, too.
 */
internal class WebAds(private val context: Context, endpoint: String) : Renderer {
    private val endpoint = endpoint.trimEnd('/')
    private val page by lazy { context.assets.open("millrace/ad.html").use { it.readBytes().toString(Charsets.UTF_8) } }

    override fun prepare(ad: Ad, format: Format, budget: DownloadBudget, done: (PreparedAd?) -> Unit) {
        if (ad.type !in KINDS) return done(null)
        val message = mapOf(
            "endpoint" to endpoint,
            "ad" to mapOf(
                "provider" to ad.provider,
                "format" to format.id,
                "markup" to mapOf("type" to ad.type, "content" to ad.content),
                "w" to ad.w,
                "h" to ad.h,
                "beacons" to mapOf("impression" to ad.beacons.impression, "click" to ad.beacons.click, "loss" to ad.beacons.loss),
            ),
            "format" to format.id,
            "downloadBytes" to budget.leftBytes,
        )
        val made = WebAd(context, budget)
        made.open(endpoint, page, message) { isPrepared -> done(if (isPrepared) made else null.also { made.destroy() }) }
    }

    private companion object {
        val KINDS = setOf("html", "mraid", "vast", "native")
    }
}

/** One ad in its web view. All of it runs on the main thread. */
@SuppressLint("SetJavaScriptEnabled")
private class WebAd(context: Context, private val budget: DownloadBudget) : PreparedAd {
    private val view = WebView(context)
    private var port: WebMessagePort? = null
    private var dialog: Dialog? = null
    private var events: ShowEvents? = null
    private var isDestroyed = false

    /** What the page's answers to `prepare` and `show` are handed to. */
    private val answers = mutableMapOf<String, (Boolean) -> Unit>()

    init {
        view.settings.javaScriptEnabled = true
        view.settings.mediaPlaybackRequiresUserGesture = false
        view.settings.allowFileAccess = false
        view.settings.setSupportMultipleWindows(true)
        view.setBackgroundColor(0)
        view.webChromeClient = LandingPages()
    }

    fun open(endpoint: String, page: String, message: Map<String, Any?>, done: (Boolean) -> Unit) {
        answers["prepare"] = done
        view.webViewClient = object : WebViewClient() {
            // The page itself goes nowhere: landing pages open outside.
            @Deprecated("Older Android versions call it")
            override fun shouldOverrideUrlLoading(view: WebView, url: String) = true

            override fun onPageFinished(view: WebView, url: String) {
                if (port == null && !isDestroyed) connect(endpoint, message)
            }

            override fun onRenderProcessGone(view: WebView, detail: RenderProcessGoneDetail): Boolean {
                // Otherwise the app would end with the page.
                lost()
                return true
            }
        }
        // With the platform as its origin, so that it may load the renderers.
        view.loadDataWithBaseURL("$endpoint/", page, "text/html", "utf-8", null)
    }

    override fun show(place: Place, events: ShowEvents, started: (Boolean) -> Unit) {
        val where = place as? AndroidPlace
        if (where == null || isDestroyed) return started(false)
        this.events = events
        answers["show"] = started
        val whole = ViewGroup.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, ViewGroup.LayoutParams.MATCH_PARENT)
        if (where.into != null) {
            where.into.addView(view, whole)
        } else {
            view.addOnAttachStateChangeListener(Torn())
            dialog = Dialog(where.activity, android.R.style.Theme_Black_NoTitleBar_Fullscreen).apply {
                setContentView(view, whole)
                // The page decides when the ad may be closed; it hears the back key as Escape.
                setCancelable(false)
                show()
            }
        }
        call("show", mapOf("isFullScreen" to where.isFullScreen, "skipAfter" to where.skipAfterSeconds))
    }

    override fun destroy() {
        if (isDestroyed) return
        isDestroyed = true
        (view.parent as? ViewGroup)?.removeView(view)
        dialog?.dismiss()
        port?.close()
        view.destroy()
    }

    private fun connect(endpoint: String, message: Map<String, Any?>) {
        val (own, pages) = view.createWebMessageChannel()
        own.setWebMessageCallback(
            object : WebMessagePort.WebMessageCallback() {
                override fun onMessage(port: WebMessagePort, told: WebMessage) = heard(Json.parse(told.data.orEmpty()) as? Map<*, *>, message)
            },
        )
        port = own
        view.postWebMessage(WebMessage("", arrayOf(pages)), Uri.parse(endpoint))
    }

    private fun heard(told: Map<*, *>?, message: Map<String, Any?>) {
        when (val type = told?.get("type")) {
            "ready" -> call("prepare", message)
            "prepare", "show" -> answers.remove(type)?.invoke(told["value"] == true)
            "took" -> (told["value"] as? Double)?.let { budget.take(it.toLong()) }
            "clicked" -> events?.clicked()
            "rewarded" -> events?.rewarded()
            "hidden" -> events?.hidden()
        }
    }

    private fun call(name: String, given: Map<String, Any?>) {
        port?.postMessage(WebMessage(Json.write(mapOf("call" to name, "with" to given))))
    }

    /** Android removes the dialog of an activity that is destroyed, such as one that turns with the screen, and tells nobody else. */
    private inner class Torn : View.OnAttachStateChangeListener {
        override fun onViewAttachedToWindow(view: View) = Unit

        override fun onViewDetachedFromWindow(view: View) {
            if (!isDestroyed) lost()
        }
    }

    private fun lost() {
        for (answer in answers.values.toList()) answer(false)
        answers.clear()
        events?.hidden()
        destroy()
    }
}
