// SPDX-License-Identifier: MIT
// `counting` evaluates on order, and keeps its own count. It reads an order a line:
//
//     run N      evaluate N bodies on ten threads, in three stores; answers "done"
//     spin       evaluates on ten threads until the next line comes, which is not read as an order; answers "spinning"
//                at once and "done" at the end
//     nest N     evaluates N times on each of four threads a view in a view in a view, where the innermost throws;
//                answers "done"
//     write N    evaluates two views of one model and N times writes to it and evaluates them again; answers the line of
//                the write
//     passes N   updates a view N + 2 times, three evaluations each; answers "done"
//     cascade N  evaluates 2 N times views in views, for writes and for nothing; answers "done"
//     hostile    evaluates four views with labels that are no good; answers "done"
//     parent     evaluates a view of 5,000 bytes, and one that names it as its parent; answers "done"
//     hold       evaluates a view whose body says "held" and waits for a line; answers "done"
//     counts     answers what its own counters say
//     export I   answers what store I exports, in base64
//     reset      resets all stores; answers "done"
//     fork N     forks in a body and evaluates N more in the child; answers how the child ended
//     stores N   makes N stores, one after the other, each with one evaluation; answers "done"
//     close PATH closes all descriptors that it does not know, and opens files of its own there, pipes and sockets; answers
//                "closed"
//     look       answers "intact" if those are as they were, or what is not
//     fill       opens files until there is no descriptor left; answers how many
//     load FILE  loads a library; answers "loaded" or "missing"
//     lock       has the kernel keep in memory what is mapped from now on (mlockall); answers "locked" or "refused"
//     stacks N   gives new threads a stack of N KiB where they are told no other; answers "set" or "refused"
//     limit as N | data N | nofile N  sets that limit to N KiB more than is used, or to N descriptors; answers "limited"
//     mark N     marks the moment as "moment N"; answers "done"
//     here N     evaluates N bodies on the first thread; answers "done"
//     small N    does what "here 100", "write 20" and "cascade 20" do on a thread with a stack of N KiB; answers "done"
//     tracing    answers whether LTTng is "notTried", "loading", loaded or missing
//     urgent N   sends itself SIGURG N times, each after the one before was handled or 10 ms; answers how many were
//     exit       exits at once
//     interrupted N  evaluates N views and exits while a timer's signal comes every 200 µs
//     die        is killed at once
//
// Its arguments are orders, too: of those from "fill" to "limit", which it obeys before it makes its first store.

import Foundation
import Rerender
import Signpost

/// Made at its first use, which is behind the orders among the arguments.
let shop = Shop()

enum Orders {
    /// Obeys until the end of its input.
    static func run(_ arguments: [String]) {
        for order in arguments {
            say(prepare(order.split(separator: " ").map(String.init)) ?? "unknown")
        }
        for store in shop.stores {
            store.isConsoleLoggingEnabled = false
            store.onPulse = { key in say("pulsed \(key.rawValue)") }
            store.onHang = { hang in
                say(
                    "hung \(hang.durationNanoseconds / 1_000_000) \(hang.view?.rawValue ?? "-") \(hang.attribution.rawValue)"
                )
            }
        }
        var ownFiles: OwnFiles?
        say("ready")
        while let line = readLine() {
            let order = line.split(separator: " ").map(String.init)
            if let answer = prepare(order) {
                say(answer)
                continue
            }
            switch (order.first, order.dropFirst().first.flatMap(Int.init)) {
            case ("run", let count?):
                shop.run(count)
                say("done")
            case ("spin", _):
                shop.spin { _ = readLine() }
                say("done")
            case ("nest", let count?):
                shop.nest(count)
                say("done")
            case ("write", let count?):
                write(count, store: shop.stores[0])
                say("\(writeLine)")
            case ("passes", let count?):
                passes(count, store: shop.stores[0])
                say("done")
            case ("cascade", let count?):
                cascade(count, store: shop.stores[0])
                say("done")
            case ("hostile", _):
                shop.evaluateHostileLabels()
                say("done")
            case ("hold", _):
                shop.stores[0].evaluate("Held") {
                    say("held")
                    _ = readLine()
                }
                say("done")
            case ("parent", _):
                shop.evaluateBelowLongParent()
                say("done")
            case ("counts", _):
                say(shop.counts())
            case ("export", let store?):
                say(shop.stores[store].exportJSON().base64EncodedString())
            case ("reset", _):
                for store in shop.stores { store.reset() }
                say("done")
            case ("fork", let count?):
                say(runInForkedChild(count))
            case ("stores", let count?):
                for number in 0..<count { RerenderStore(name: "brief \(number)").evaluate("View") {} }
                say("done")
            case ("interrupted", let count?):
                for number in 0..<count { shop.stores[0].evaluate("view \(number)") {} }
                signal(SIGALRM) { _ in }
                var interval = itimerval(
                    it_interval: timeval(tv_sec: 0, tv_usec: 200), it_value: timeval(tv_sec: 0, tv_usec: 200))
                setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &interval, nil)
                exit(EXIT_SUCCESS)
            case ("close", _):
                ownFiles = OwnFiles(in: order[1])
                say("closed")
            case ("look", _):
                say(ownFiles?.look() ?? "none were opened")
            case ("mark", let number?):
                shop.stores[0].mark("moment \(number)")
                say("done")
            case ("here", let count?):
                shop.runHere(count)
                say("done")
            case ("small", let kibibytes?):
                let isDone = onSmallStack(kibibytes: kibibytes) { [shop] in
                    shop.runHere(100)
                    write(20, store: shop.stores[0])
                    cascade(20, store: shop.stores[0])
                }
                say(isDone ? "done" : "no thread")
            case ("tracing", _):
                say("\(SignpostTracing.status.library)")
            case ("urgent", let count?):
                say("\(handledSignals(of: count))")
            case ("exit", _):
                exit(EXIT_SUCCESS)
            case ("die", _):
                kill(getpid(), SIGKILL)
            default:
                say("unknown order: \(line)")
            }
        }
    }
}
