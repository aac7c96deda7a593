package millrace.android

import android.content.Context
import android.content.SharedPreferences
import millrace.core.Consent
import millrace.core.ConsentSource
import millrace.core.isConsentKey
import millrace.core.storedConsent

/**
 * The choice that the app's consent platform keeps in the default preferences, as IAB's standards prescribe. While it is not known, waits for it to be
 * stored. [hasPlatform] tells that the app has a consent platform, which may not have started yet.
 */
class StoredConsentSource(context: Context, private val hasPlatform: Boolean, private val coppa: Boolean = false) : ConsentSource {
    // The name that android.preference.PreferenceManager uses.
    private val preferences = context.getSharedPreferences("${context.packageName}_preferences", Context.MODE_PRIVATE)

    override fun read(known: (Consent) -> Unit) {
        val consent = current()
        if (consent != null) return known(consent)
        preferences.registerOnSharedPreferenceChangeListener(
            object : SharedPreferences.OnSharedPreferenceChangeListener {
                init {
                    // Preferences hold their listeners weakly.
                    waiting.add(this)
                }

                override fun onSharedPreferenceChanged(changed: SharedPreferences, key: String?) {
                    val now = if (isConsentKey(key)) current() else null
                    if (now == null || !waiting.remove(this)) return
                    preferences.unregisterOnSharedPreferenceChangeListener(this)
                    known(now)
                }
            },
        )
    }

    private fun current(): Consent? {
        val all = preferences.all
        return storedConsent(all::get, hasPlatform, if (coppa) 1 else null)
    }

    private companion object {
        val waiting: MutableSet<SharedPreferences.OnSharedPreferenceChangeListener> =
            java.util.Collections.synchronizedSet(mutableSetOf())
    }
}
