package millrace.android

import android.content.ActivityNotFoundException
import android.content.Intent
import android.net.Uri
import android.os.Message
import android.webkit.WebChromeClient
import android.webkit.WebView
import android.webkit.WebViewClient

/** Opens what an ad's page opens in a new window: in the device's browser or store, and only after a press. */
internal class LandingPages : WebChromeClient() {
    override fun onCreateWindow(view: WebView, isDialog: Boolean, isUserGesture: Boolean, resultMsg: Message): Boolean {
        if (!isUserGesture) return false
        // The address of a new window is known only to a web view that begins to load it.
        val target = WebView(view.context)
        target.webViewClient = object : WebViewClient() {
            @Deprecated("Older Android versions call it")
            override fun shouldOverrideUrlLoading(target: WebView, url: String): Boolean {
                open(view, Uri.parse(url))
                target.destroy()
                return true
            }
        }
        (resultMsg.obj as WebView.WebViewTransport).webView = target
        resultMsg.sendToTarget()
        return true
    }

    private fun open(view: WebView, address: Uri) {
        if (address.scheme?.lowercase() !in SCHEMES) return
        val intent = Intent(Intent.ACTION_VIEW, address).addCategory(Intent.CATEGORY_BROWSABLE).addFlags(Intent.FLAG_ACTIVITY_NEW_TASK)
        try {
            view.context.startActivity(intent)
        } catch (_: ActivityNotFoundException) {
            // A television may have neither a browser nor a store.
        }
    }

    private companion object {
        val SCHEMES = setOf("http", "https", "market", "amzn")
    }
}
