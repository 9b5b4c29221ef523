// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
import Synchronization
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

private func endedHang(_ change: (inout Hang) -> Void = { _ in }) -> Hang {
    var hang = Hang(id: 1, pid: 7, process: "shop", startedAt: .now, turn: 1)
    hang.durationNanoseconds = 412_000_000
    hang.view = ViewKey(rawValue: "CartTotal")
    hang.attribution = .inBody
    hang.shares = [.init(view: "CartTotal", nanoseconds: 398_000_000)]
    hang.open = false
    change(&hang)
    return hang
}

@Suite("Notifications of hangs")
struct HangNotifierTests {
    @Test("one is let through in ten seconds, and the next says how many were suppressed")
    func limit() {
        var limit = HangNotifier.limit
        #expect(limit.admit(now: 0) == 0)
        #expect(limit.admit(now: 1) == nil)
        #expect(limit.admit(now: 9_999_999_999) == nil)
        #expect(limit.admit(now: 10_000_000_000) == 2)
        #expect(limit.admit(now: 10_000_000_001) == nil)
        #expect(limit.admit(now: 30_000_000_000) == 1)
        #expect(limit.admit(now: 50_000_000_000) == 0)
    }

    @Test(
        "say the view and its part, who ran at the threshold, what there was no processor for, and what was kept back")
    func texts() {
        let text = NotificationText(endedHang(), suppressed: 0)
        #expect(text.summary == "shop hung for 412 ms" && text.body == "96% of it was in the body of CartTotal.")
        let click = endedHang {
            ($0.view, $0.handler, $0.attribution, $0.viewAtThreshold) = ("Toolbar", "click on Save", .inHandler, nil)
            $0.shares = [.init(view: "Toolbar", handler: "click on Save", nanoseconds: 398_000_000)]
        }
        #expect(NotificationText(click, suppressed: 0).body == "96% of it was in the handler Toolbar: click on Save.")
        let shared = NotificationText(
            endedHang {
                $0.durationNanoseconds = 2_390_000_000
                $0.attribution = .share
                $0.viewAtThreshold = "Row <1>"
                $0.starvedNanoseconds = 1_434_000_001
                $0.waitingOn = "futex_do_wait"
            }, suppressed: 3)
        #expect(shared.summary == "shop hung for 2.3 s")
        #expect(
            shared.body.text == "16% of it was in the body of CartTotal. Row &lt;1&gt; ran when it became a hang. "
                + "The thread had no processor for 60% of it. It waited in futex_do_wait. 3 more hangs since the last notice."
        )
        let nobody = NotificationText(endedHang { $0.view = nil }, suppressed: 1)
        #expect(nobody.body == "No view had a fifth of it. 1 more hang since the last notice.")
    }

    @Test("carry nothing of an app's that a desktop would take for markup, or a terminal for orders")
    func markup() {
        let hostile = endedHang {
            $0.process = "a\u{1B}[2J" + String(repeating: "x", count: 500)
            $0.view = ViewKey(rawValue: "<a href=\"x\">List<Int> & \u{202E}more")
        }
        let text = NotificationText(hostile, suppressed: 0)
        let body = text.body.text.unicodeScalars
        #expect(!body.contains("<") && text.body.text.contains("&lt;Int&gt; &amp;"))
        #expect(!text.summary.contains("\u{1B}") && !body.contains("\u{202E}") && text.summary.count < 120)
        for name in HostileTexts.all {
            let text = NotificationText(endedHang { $0.view = ViewKey(rawValue: name) }, suppressed: 0)
            #expect(!text.body.text.unicodeScalars.contains("<"), "\(name)")
        }
    }

    @Test("are what notify-send makes of its argument, whatever joins with a backslash to one character")
    func argument() {
        let escapes = [#"\074b"#, "\u{600}\\074b", "\\\u{301}074", "\\\u{200D}x3c", #"a\"#, #"\\074"#, #"\n"#]
        for name in escapes + HostileTexts.all {
            let body = NotificationText(endedHang { $0.view = ViewKey(rawValue: name) }, suppressed: 0).body.text
            #expect(Self.compressed(NotifySendText(body).text) == Array(body.utf8), "\(name)")
        }
        #expect(Self.compressed(#"\074b\x\n"#) == Array("<bx\n".utf8))
    }

    /// What `g_strcompress` of GLib makes of a text, with which notify-send begins.
    private static func compressed(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            switch Unicode.Scalar(escape) {
            case "0"..."7":
                let digits: [UInt8] = [escape] + rest.prefix { (48..<56).contains($0) }.prefix(2)
                rest = rest.dropFirst(digits.count - 1)
                bytes.append(digits.reduce(0) { $0 &* 8 &+ ($1 - 48) })
            case "b": bytes.append(8)
            case "f": bytes.append(12)
            case "n": bytes.append(10)
            case "r": bytes.append(13)
            case "t": bytes.append(9)
            case "v": bytes.append(11)
            default: bytes.append(escape)
            }
        }
        return bytes
    }

    @Test("are off until somebody switches them on, and are only of hangs that ended and count")
    func switching() {
        let shown = Shown()
        let notifier = HangNotifier(
            log: shown.log.logger, now: { shown.time }, show: { shown.show($0) })
        notifier.hangEnded(endedHang())
        notifier.isEnabled = true
        notifier.hangEnded(endedHang { $0.open = true })
        notifier.hangEnded(endedHang { $0.counts = false })
        notifier.hangEnded(endedHang { $0.process = "desk" })
        notifier.queue.sync {}
        #expect(shown.texts.map(\.summary) == ["desk hung for 412 ms"])
        notifier.isEnabled = false
        shown.add(seconds: 60)
        notifier.hangEnded(endedHang())
        notifier.isEnabled = true
        notifier.hangEnded(endedHang { $0.process = "third" })
        notifier.queue.sync {}
        #expect(shown.texts.map(\.summary) == ["desk hung for 412 ms", "third hung for 412 ms"])
    }

    @Test("a fault is logged once, and again after one that was shown")
    func faults() {
        let shown = Shown()
        let notifier = HangNotifier(
            log: shown.log.logger, now: { shown.time }, show: { shown.show($0) })
        notifier.isEnabled = true
        for (number, fault) in ["no bus", "no bus", nil, "no bus"].enumerated() {
            shown.fail(with: fault)
            shown.add(seconds: 20)
            notifier.hangEnded(endedHang())
            notifier.queue.sync {}
            #expect(shown.texts.count == number + 1)
        }
        #expect(shown.log.lines.count == 2)
        #expect(shown.log.lines.allSatisfy { $0.contains("no bus") })
    }
}

/// What would have been shown, with a clock to set.
private final class Shown: Sendable {
    private struct State {
        var texts: [NotificationText] = []
        var time: UInt64 = 1
        var fault: String?
    }

    private let state = Mutex(State())
    let log = CapturedLog()

    var texts: [NotificationText] { state.withLock { $0.texts } }
    var time: UInt64 { state.withLock { $0.time } }

    func add(seconds: UInt64) { state.withLock { $0.time += seconds * 1_000_000_000 } }
    func fail(with fault: String?) { state.withLock { $0.fault = fault } }

    func show(_ text: NotificationText) -> String? {
        state.withLock { state in
            state.texts.append(text)
            return state.fault
        }
    }
}
