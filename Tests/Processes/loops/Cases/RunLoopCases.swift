// SPDX-License-Identifier: MIT
// CFRunLoop main loops. The truth are observers of the program's own: a turn begins where the outermost run is entered and
// after each wait.

import CoreFoundation
import Foundation
import Rerender
import RerenderModel
import Synchronization

enum RunLoopCases {
    private static let begun = Atomic<Int>(0)
    private static let depth = Atomic<Int>(0)

    static func run(_ name: String) {
        _ = store
        observe()
        switch name {
        case "plain": tick()
        case "modal": modal()
        case "rows": return rows()
        case "again": for _ in 0..<3 { tick() }
        case "then-glib": return thenGLib()
        case "then-main": return DispatchCases.run(after: tick)
        case "in-and-out": return inAndOut()
        case "idle": return idle()
        case "ticking": return ticking()
        default: exit(EX_USAGE)
        }
        Report.print("begun=\(begun.load(ordering: .relaxed))")
    }

    private static func observe() {
        let all: CFOptionFlags = 1 | 32 | 64 | 128
        let observer = CFRunLoopObserverCreateWithHandler(nil, all, true, 0) { _, activity in
            switch activity.rawValue {
            case 1:
                if depth.wrappingAdd(1, ordering: .relaxed).newValue == 1 {
                    begun.wrappingAdd(1, ordering: .relaxed)
                }
            case 64: begun.wrappingAdd(1, ordering: .relaxed)
            case 128: depth.wrappingSubtract(1, ordering: .relaxed)
            default: break
            }
        }
        CFRunLoopAddObserver(CFRunLoopGetMain(), observer, kCFRunLoopCommonModes)
    }

    /// Twenty timers and as many blocks on the main queue, then the end.
    private static func tick() {
        let ticker = Ticker()
        let timer = Timer(timeInterval: 0.002, repeats: true) { timer in
            DispatchQueue.main.async { ticker.served += 1 }
            ticker.count += 1
            if ticker.count == 20 { timer.invalidate() }
        }
        RunLoop.main.add(timer, forMode: .common)
        while ticker.count < 20 || ticker.served < 20 {
            RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01))
        }
    }

    private final class Ticker: @unchecked Sendable {
        var count = 0
        var served = 0
    }

    /// Timers of CoreFoundation's and of Foundation's, and blocks: how often each was called. Only calls after the monitor was seen to count
    /// one of each kind, by functions and with an interval that no later one has.
    private static func rows() {
        let deadline = ContinuousClock.now + .seconds(60)
        while store.isEnabled, (LiveStore.loop?.rows.count { $0.kind == .runLoop } ?? 0) < 3 {
            guard ContinuousClock.now < deadline else {
                say("no timer or no block is counted: \(LiveStore.loop?.rows.map(\.function) ?? [])")
                exit(EX_SOFTWARE)
            }
            addTimer(every: 0.001) { timer, _ in CFRunLoopTimerInvalidate(timer) }
            RunLoop.main.add(Timer(timeInterval: 0.001, repeats: true) { $0.invalidate() }, forMode: .common)
            RunLoop.main.perform {}
            RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01))
        }
        addTimer(every: 0.003) { timer, _ in
            RunLoopCases.calls.timers += 1
            if RunLoopCases.calls.timers == 20 { CFRunLoopTimerInvalidate(timer) }
        }
        let timer = Timer(timeInterval: 0.002, repeats: true) { timer in
            RunLoopCases.calls.foundation += 1
            if RunLoopCases.calls.foundation == 30 { timer.invalidate() }
        }
        RunLoop.main.add(timer, forMode: .common)
        for _ in 0..<40 { RunLoop.main.perform { RunLoopCases.calls.blocks += 1 } }
        while calls.timers < 20 || calls.foundation < 30 || calls.blocks < 40 {
            RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01))
        }
        store.evaluate("View") {}
        say("timers=\(calls.timers) foundation=\(calls.foundation) blocks=\(calls.blocks)")
    }

    private static func addTimer(every seconds: CFTimeInterval, _ fire: @escaping CFRunLoopTimerCallBack) {
        let timer = CFRunLoopTimerCreate(nil, CFAbsoluteTimeGetCurrent(), seconds, 0, 0, fire, nil)
        CFRunLoopAddTimer(CFRunLoopGetMain(), timer, kCFRunLoopCommonModes)
    }

    /// Touched on the main thread.
    private final class Calls: @unchecked Sendable {
        var timers = 0, foundation = 0, blocks = 0
    }

    private static let calls = Calls()

    private static func modal() {
        let timer = Timer(timeInterval: 0.005, repeats: false) { _ in
            RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.02))
        }
        RunLoop.main.add(timer, forMode: .common)
        RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.05))
    }

    /// A loop at start-up that is left, and GLib's for good.
    private static func thenGLib() {
        RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.02))
        say("before=\(ProcessRuntime.shared.mainLoop.kind) turn=\(ProcessRuntime.shared.mainLoop.turn)")
        // The library comes late: the next store finds it, or the monitor has found it the moment that it was loaded.
        let original = GLibCases.glib.firstPollFunction
        let second = RerenderStore(name: "second")
        withExtendedLifetime(second) {
            GLibCases.waitUntilHooked(insteadOf: original)
            GLibCases.run("plain", isHooked: true)
        }
    }

    /// A loop that is left after each thing that it did, and run again; then it has nothing to do.
    private static func inAndOut() {
        tick()
        idle()
    }

    private static func ticking() {
        let timer = Timer(timeInterval: 0.002, repeats: true) { _ in
            Report.hooks.store(RunLoopCases.namedObservers, ordering: .relaxed)
            Report.ticks.add(1, ordering: .relaxed)
        }
        RunLoop.main.add(timer, forMode: .common)
        idle()
    }

    /// How often the description of the main loop names an observer. On its thread.
    private static var namedObservers: Int {
        typealias Object = UnsafeRawPointer
        func function<Function>(_ name: String, as type: Function.Type) -> Function {
            unsafeBitCast(dlsym(nil, name), to: type)
        }
        let main = function("CFRunLoopGetMain", as: (@convention(c) () -> Object?).self)()
        let describe = function("CFCopyDescription", as: (@convention(c) (Object?) -> Object?).self)
        typealias GetText = @convention(c) (Object?, UnsafeMutablePointer<UInt8>, Int, UInt32) -> UInt8
        let getText = function("CFStringGetCString", as: GetText.self)
        let description = describe(main), utf8: UInt32 = 0x0800_0100
        defer { function("CFRelease", as: (@convention(c) (Object?) -> Void).self)(description) }
        var text = [UInt8](repeating: 0, count: 1 << 16)
        guard getText(description, &text, text.count, utf8) != 0 else { return -1 }
        let known = String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        return known.components(separatedBy: "<CFRunLoopObserver ").count - 1
    }

    static func idle() {
        Report.answerLater()
        RunLoop.main.run()
        while true { RunLoop.main.run(until: .distantFuture) }
    }
}
