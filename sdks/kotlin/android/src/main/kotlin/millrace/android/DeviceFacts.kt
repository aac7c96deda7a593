package millrace.android

import android.content.Context
import android.content.pm.PackageManager
import android.net.ConnectivityManager
import android.net.NetworkCapabilities
import android.os.Build
import android.provider.Settings
import java.util.Locale
import millrace.core.Device
import millrace.core.Platform

/** An advertising id, and whether the user limits its use. */
class AdvertisingId(val id: String?, val isLimited: Boolean)

private const val WIFI = 2
private const val CELLULAR = 3
private const val ETHERNET = 1

/**
 * Reads the device's facts; the core does so once consent is known. Fire OS has its advertising id in its settings. On other devices the app
 * passes it as [advertisingId], from Google Play services or whatever the store offers.
 */
internal fun deviceFacts(context: Context, advertisingId: () -> AdvertisingId?): Device {
    val screen = context.resources.displayMetrics
    val own = advertisingId() ?: fireAdvertisingId(context)
    return Device(
        os = if (isFireOs(context)) "fireos" else "android",
        osv = Build.VERSION.RELEASE,
        make = Build.MANUFACTURER,
        model = Build.MODEL,
        ua = System.getProperty("http.agent"),
        ifa = own?.id,
        lmt = own?.let { if (it.isLimited) 1 else 0 },
        language = Locale.getDefault().language,
        w = screen.widthPixels,
        h = screen.heightPixels,
        pxratio = screen.density.toDouble(),
        connectiontype = connectionType(context),
    )
}

/** The platform by the device's features, for apps that run on several. */
internal fun platformOf(context: Context): Platform {
    val isTv = context.packageManager.hasSystemFeature(PackageManager.FEATURE_LEANBACK)
    return when {
        isFireOs(context) -> if (context.packageManager.hasSystemFeature("amazon.hardware.fire_tv")) Platform.FIRE_TV else Platform.AMAZON
        isTv -> Platform.ANDROID_TV
        else -> Platform.ANDROID
    }
}

private fun isFireOs(context: Context): Boolean =
    Build.MANUFACTURER == "Amazon" || context.packageManager.hasSystemFeature("amazon.hardware.fire_tv")

private fun fireAdvertisingId(context: Context): AdvertisingId? {
    val id = Settings.Secure.getString(context.contentResolver, "advertising_id") ?: return null
    return AdvertisingId(id, Settings.Secure.getInt(context.contentResolver, "limit_ad_tracking", 1) != 0)
}

/** OpenRTB 2.6 list: connection type. */
private fun connectionType(context: Context): Int? {
    val connectivity = context.getSystemService(ConnectivityManager::class.java) ?: return null
    val active = connectivity.getNetworkCapabilities(connectivity.activeNetwork) ?: return null
    return when {
        active.hasTransport(NetworkCapabilities.TRANSPORT_ETHERNET) -> ETHERNET
        active.hasTransport(NetworkCapabilities.TRANSPORT_WIFI) -> WIFI
        active.hasTransport(NetworkCapabilities.TRANSPORT_CELLULAR) -> CELLULAR
        else -> null
    }
}
