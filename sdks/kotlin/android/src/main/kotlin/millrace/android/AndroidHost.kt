package millrace.android

import android.content.Context
import android.os.Handler
import android.os.HandlerThread
import android.os.Looper
import android.os.SystemClock
import android.util.Log
import java.security.SecureRandom
import millrace.core.Clock
import millrace.core.Host
import millrace.core.LogLevel
import millrace.core.Storage

/** The core on Android: its own thread, the device's clocks, preferences and connection. */
internal class AndroidHost(context: Context) : Host {
    private val own = Handler(HandlerThread("millrace").apply { start() }.looper)
    private val main = Handler(Looper.getMainLooper())
    private val dice = SecureRandom()

    override val clock = object : Clock {
        override fun now() = System.currentTimeMillis()

        // Goes on while the device sleeps.
        override fun ticks() = SystemClock.elapsedRealtime()

        override fun after(delayMs: Long, run: () -> Unit): () -> Unit {
            val task = Runnable { run() }
            own.postDelayed(task, delayMs)
            return { own.removeCallbacks(task) }
        }
    }

    override val storage: Storage = PreferencesStorage(context.getSharedPreferences("millrace", Context.MODE_PRIVATE))

    override val transport = HttpTransport(::execute)

    override fun random() = dice.nextDouble()

    override fun execute(run: () -> Unit) {
        own.post(run)
    }

    override fun deliver(run: () -> Unit) {
        main.post(run)
    }

    override fun log(level: LogLevel, text: String, data: Any?) {
        val line = if (data == null) text else "$text: $data"
        when (level) {
            LogLevel.ERROR -> Log.e(TAG, line)
            LogLevel.WARN -> Log.w(TAG, line)
            LogLevel.INFO -> Log.i(TAG, line)
            else -> Log.d(TAG, line)
        }
    }

    private companion object {
        const val TAG = "Millrace"
    }
}
