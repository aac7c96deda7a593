package millrace.android

import android.content.SharedPreferences
import java.io.IOException
import millrace.core.Storage

/** The core's strings in a file of preferences of their own. Called on the SDK's thread, which may wait for the disk. */
internal class PreferencesStorage(private val preferences: SharedPreferences) : Storage {
    override fun keys(): Collection<String> = preferences.all.keys.toList()

    override fun get(key: String): String? = preferences.getString(key, null)

    override fun set(key: String, value: String) = write { putString(key, value) }

    override fun remove(key: String) = write { remove(key) }

    private fun write(change: SharedPreferences.Editor.() -> Unit) {
        // Not `apply`, which returns before the value is on the disk.
        if (!preferences.edit().apply(change).commit()) throw IOException("The preferences could not be written")
    }
}
