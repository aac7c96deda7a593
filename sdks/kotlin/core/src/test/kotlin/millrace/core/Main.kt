package millrace.core

import java.io.File
import kotlin.system.exitProcess

/** Runs all tests. Arguments: the folder of the vectors, and a file with texts for the JSON reader. */
fun main(args: Array<String>) {
    jsonTests(File(args[1]))
    vectorTests(File(args[0]))
    faultTests()
    sdkTests()
    bannerTests()
    unseenPlaceTests()
    sessionTests()
    deliveryTests()
    mediationTests()
    consentTests()
    // Nothing may be left running.
    exitProcess(0)
}
