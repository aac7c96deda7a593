package millrace.core

import java.util.Random

private const val BASE = Bench.ENDPOINT

private fun beacon(number: Int, type: String = "impression") = "$BASE/beacon/$type?t=t$number"

private fun accepted(request: Outgoing): Outcome<Incoming> {
    val events = (Json.parse(request.body.orEmpty()) as? Map<*, *>)?.get("events") as? List<*> ?: return Outcome.Ok(Incoming(200, ""))
    return Bench.ok(mapOf("results" to events.map { mapOf("result" to "accepted") }))
}

private class QueueBench(seed: Long = 1) {
    val host = TestHost(seed)
    val sent = mutableListOf<Outgoing>()
    val told = mutableListOf<Pair<Delivery, String>>()
    var answer: (Outgoing) -> Outcome<Incoming>? = ::accepted

    /** The transport answers before `send` returns. */
    var isImmediate = false
    var queue = open()

    fun open(): DeliveryQueue {
        val transport = Transport { request, done ->
            sent.add(request)
            answer(request)?.let { reply -> if (isImmediate) done(reply) else host.execute { done(reply) } }
        }
        return DeliveryQueue(host, transport, "out.") { outcome, url -> told.add(outcome to url) }
    }

    /** The app's process ends, without a chance to say so, and starts again. */
    fun restart() {
        queue.close()
        queue = open()
    }
}

fun deliveryTests() {
    val suite = Suite("delivery")
    suite.test("an item is stored before it is sent, and stays until the server has it") {
        val bench = QueueBench()
        bench.answer = { request -> accepted(request).also { expectEqual(bench.host.storage.keys().size, 1) } }
        bench.queue.add(beacon(1))
        bench.host.settle()
        expectEqual(bench.sent.map { it.url to it.body }, listOf<Pair<String, String?>>(beacon(1) to null))
        expectEqual(bench.host.storage.keys().size to bench.queue.size, 0 to 0)
    }
    suite.test("what waits survives a restart, and goes in one batch") {
        val bench = QueueBench()
        bench.answer = { failed(ErrorCode.NETWORK, "offline") }
        bench.queue.add(beacon(1))
        bench.queue.add(beacon(2, "click"))
        bench.queue.add("$BASE/sdk/v1/ping", "{\"session\":\"s\",\"seq\":1,\"seconds\":30}")
        bench.queue.add("$BASE/beacon/player?t=t3&e=no_fill")
        bench.queue.add("$BASE/beacon/click?t=t4&to=https%3A%2F%2Fshop.example")
        bench.host.settle()
        bench.sent.clear()
        bench.answer = ::accepted
        bench.restart()
        bench.host.advance(0)
        expectEqual(bench.sent.map { it.url }.sorted(), listOf("$BASE/beacon/click?t=t4&to=https%3A%2F%2Fshop.example", "$BASE/sdk/v1/events"))
        val events = (Json.parse(bench.sent.first { it.body != null }.body.orEmpty()) as Map<*, *>)["events"]
        expectEqual(
            events,
            listOf(
                mapOf("type" to "impression", "token" to "t1"),
                mapOf("type" to "click", "token" to "t2"),
                mapOf("type" to "ping", "session" to "s", "seq" to 1.0, "seconds" to 30.0),
                mapOf("type" to "step", "token" to "t3", "outcome" to "no_fill"),
            ),
        )
        expectEqual(bench.queue.size, 0)
    }
    suite.test("no item is lost by failures and restarts, and each is delivered or refused once, for 100 seeds") {
        for (seed in 1L..100) everyItemArrives(seed)
    }
    suite.test("each event of a batch has its own result, and one without a clear result is sent again") {
        val bench = QueueBench()
        bench.answer = { failed(ErrorCode.NETWORK, "offline") }
        for (number in 1..4) bench.queue.add(beacon(number))
        bench.host.settle()
        bench.told.clear()
        bench.answer = {
            val results = listOf(
                mapOf("result" to "accepted"),
                mapOf("result" to "duplicate"),
                mapOf("result" to "refused", "code" to "forged"),
                mapOf("result" to "later"),
            )
            Bench.ok(mapOf("results" to results))
        }
        bench.queue.flush()
        bench.host.settle()
        expectEqual(bench.told.map { it.first.name }, listOf("DELIVERED", "DELIVERED", "REFUSED", "RETRYING"))
        expectEqual(bench.queue.size, 1)
    }
    suite.test("if the server refuses batches, each item goes by its own request") {
        val bench = QueueBench()
        bench.answer = { failed(ErrorCode.NETWORK, "offline") }
        for (number in 1..5) bench.queue.add(beacon(number))
        bench.host.settle()
        bench.sent.clear()
        bench.answer = { Outcome.Ok(Incoming(if (it.body == null) 200 else 400, "")) }
        bench.queue.flush()
        bench.host.advance(60_000)
        expectEqual(bench.sent.count { it.body == null } to bench.queue.size, 5 to 0)
    }
    suite.test("retries come later and later, and not before the server's time") {
        val bench = QueueBench()
        bench.answer = { Outcome.Ok(Incoming(503, "", 120_000)) }
        bench.queue.add(beacon(1))
        bench.host.advance(119_999)
        bench.queue.flush()
        bench.host.settle()
        expectEqual(bench.sent.size, 1)
        bench.host.advance(1)
        expectEqual(bench.sent.size, 2)
        bench.answer = { failed(ErrorCode.NETWORK, "offline") }
        bench.host.advance(24 * 3_600_000L)
        expectTrue(bench.sent.size in 100..330) { "sent ${bench.sent.size} times" }
    }
    suite.test("a click takes its impression along, and is never sent before it") {
        val bench = QueueBench()
        val types = { bench.sent.map { request -> Regex("impression|click").findAll(request.url + request.body.orEmpty()).map { it.value }.toList() } }
        bench.answer = { Outcome.Ok(Incoming(503, "")) }
        bench.queue.add(beacon(1))
        bench.host.settle()
        bench.queue.add(beacon(2, "click"), after = beacon(1))
        bench.host.settle()
        expectEqual(types(), listOf(listOf("impression"), listOf("impression", "click")))
        bench.answer = ::accepted
        bench.host.advance(4_000)
        expectEqual(types().drop(2), listOf(listOf("impression", "click")))
        expectEqual(bench.queue.size, 0)

        // The impression is on its way, and then the server asks for no retry for a minute.
        bench.sent.clear()
        bench.answer = { Outcome.Ok(Incoming(429, "", 60_000)) }
        bench.queue.add(beacon(3))
        bench.queue.add(beacon(4, "click"), after = beacon(3))
        bench.host.advance(59_999)
        bench.answer = ::accepted
        expectEqual(types(), listOf(listOf("impression")))
        bench.host.advance(1)
        expectEqual(types() to bench.queue.size, listOf(listOf("impression"), listOf("impression", "click")) to 0)
    }
    suite.test("a click that cannot go together with its impression waits for that one's answer, also after a restart") {
        val bench = QueueBench()
        val click = "$BASE/beacon/click?t=t2&to=https%3A%2F%2Fshop.example"
        bench.answer = { failed(ErrorCode.NETWORK, "offline") }
        bench.queue.add(beacon(1))
        bench.queue.add(click, after = beacon(1))
        bench.host.settle()
        bench.sent.clear()
        bench.answer = { null }
        bench.restart()
        bench.host.advance(0)
        expectEqual(bench.sent.map { it.url }, listOf(beacon(1)))

        bench.sent.clear()
        bench.answer = ::accepted
        bench.restart()
        bench.host.advance(0)
        expectEqual(bench.sent.map { it.url } to bench.queue.size, listOf(beacon(1), click) to 0)
    }
    suite.test("beyond 500 items, pings make room first, then losses, and what is paid last") {
        for ((kept, expected) in listOf(listOf(1, 10, 500) to listOf(1, 10, 489), listOf(495, 10, 3) to listOf(495, 5, 0))) {
            val bench = QueueBench()
            val urls = listOf(beacon(1), beacon(2, "loss"), "$BASE/sdk/v1/ping")
            val all = urls.flatMapIndexed { kind, url -> List(kept[kind]) { url } }
            all.forEachIndexed { index, url ->
                val body = "{}".takeIf { url.endsWith("/ping") }
                bench.host.storage.set("out.${1000 + index}", QueueItem("", url, body, bench.host.clock.now(), 1, 0).toText())
            }
            bench.restart()
            val stored = bench.host.storage.keys().map { bench.host.storage.get(it).orEmpty() }
            expectEqual(urls.map { url -> stored.count { url in it } }, expected)
        }
    }
    suite.test("with a transport that answers at once, too, each item is sent once") {
        for (reply in listOf(200, 503)) {
            val bench = QueueBench()
            bench.answer = { failed(ErrorCode.NETWORK, "offline") }
            val clicks = (1..6).map { "$BASE/beacon/click?t=t$it&to=https%3A%2F%2Fshop.example" }
            for (url in clicks) bench.queue.add(url)
            bench.host.settle()
            bench.sent.clear()
            bench.isImmediate = true
            bench.answer = { Outcome.Ok(Incoming(reply, "", 120_000)) }
            bench.restart()
            bench.host.advance(0)
            expectEqual(bench.sent.map { it.url }, clicks)
        }
    }
    suite.test("the newest 500 items stay, for three days; damaged ones are removed") {
        val bench = QueueBench()
        bench.answer = { failed(ErrorCode.NETWORK, "offline") }
        for (number in 1..510) bench.queue.add(beacon(number))
        bench.host.settle()
        expectTrue(bench.queue.size in 500..504) { "${bench.queue.size} items" }
        bench.host.storage.set("out.damaged", "{\"url\":7}")
        bench.host.storage.set("out.worse", "[".repeat(10_000))
        bench.restart()
        expectEqual(bench.queue.size, 500)
        bench.host.clock.set(bench.host.clock.now() + 3 * 24 * 3_600_000L + 1)
        bench.restart()
        expectEqual(bench.queue.size to bench.host.storage.keys().size, 0 to 0)
    }
}

/** Failures, lost replies and restarts at random; in the end every token must have come, whatever came twice. */
private fun everyItemArrives(seed: Long) {
    val dice = Random(seed)
    val bench = QueueBench(seed)
    val arrived = mutableSetOf<String>()
    var isCalm = false
    bench.answer = { request ->
        val tokens = Regex("t=(\\w+)|\"token\":\"(\\w+)\"").findAll(request.url + request.body.orEmpty()).map { it.value.filter(Char::isDigit) }
        when (if (isCalm) 5 else dice.nextInt(6)) {
            0 -> failed(ErrorCode.NETWORK, "reset")
            1 -> null
            2 -> Outcome.Ok(Incoming(503, ""))
            // The server has stored it, and the reply is lost.
            3 -> failed<Incoming>(tokens.forEach(arrived::add))
            else -> accepted(request).also { tokens.forEach(arrived::add) }
        }
    }
    val count = 5 + dice.nextInt(30)
    for (number in 1..count) {
        bench.queue.add(beacon(number))
        if (dice.nextInt(3) == 0) bench.host.advance(dice.nextInt(20_000).toLong())
        if (dice.nextInt(8) == 0) bench.restart()
    }
    isCalm = true
    bench.restart()
    bench.host.advance(3_600_000)
    expectEqual(arrived.size to bench.queue.size, count to 0)
    expectEqual(bench.host.storage.keys().size, 0)
}

@Suppress("UNUSED_PARAMETER")
private fun <T> failed(after: Unit): Outcome<T> = failed(ErrorCode.NETWORK, "lost")
