// SPDX-License-Identifier: MIT
// Tells the person at the desktop of hangs, in the words of a notification.

internal import CShared
internal import Dispatch
internal import Glibc
package import Logging
package import RerenderModel
internal import Synchronization

/// Shows a desktop notification for hangs that ended, at most one in each period; off until it is switched on.
///
/// Every call returns at once, on any thread: a queue waits for the program that shows it.
package final class HangNotifier: Sendable {
    /// Shows one; returns why that failed, or nil.
    typealias Show = @Sendable (NotificationText) -> String?

    private struct State {
        var isEnabled = false
        var limit = HangNotifier.limit
        /// Whether one is under way: the next ones are kept back, however slow the desktop is.
        var isBusy = false
        /// The fault that was logged last; the same one is not logged again.
        var fault: String?
    }

    /// One in ten seconds can be read without being kept from work; desktops show a notification for about five.
    static let limit = RateLimit(count: 1, period: 10_000_000_000)

    private let state = Mutex(State())
    let queue = DispatchQueue(label: "rerender.notifications")
    private let log: Logger
    private let now: @Sendable () -> UInt64
    private let show: Show

    package convenience init(log: Logger) {
        self.init(log: log, show: HangNotifier.byProgram)
    }

    init(
        log: Logger, now: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds },
        show: @escaping Show
    ) {
        self.log = log
        self.now = now
        self.show = show
    }

    /// Whether notifications are shown.
    package var isEnabled: Bool {
        get { state.withLock { $0.isEnabled } }
        set { state.withLock { $0.isEnabled = newValue } }
    }

    /// Shows a notification of a hang that has ended and counts, unless one was shown a moment ago.
    package func hangEnded(_ hang: Hang) {
        guard hang.counts, !hang.open else { return }
        let now = now()
        let suppressed = state.withLock { state -> UInt64? in
            guard state.isEnabled else { return nil }
            guard !state.isBusy else {
                state.limit.suppress()
                return nil
            }
            let admitted = state.limit.admit(now: now)
            state.isBusy = admitted != nil
            return admitted
        }
        guard let suppressed else { return }
        let text = NotificationText(hang, suppressed: suppressed)
        queue.async { self.showNow(text) }
    }

    private func showNow(_ text: NotificationText) {
        let fault = show(text)
        let isNew = state.withLock { state in
            defer { (state.isBusy, state.fault) = (false, fault) }
            return fault != nil && fault != state.fault
        }
        guard isNew, let fault else { return }
        log.warning("cannot show a notification of a hang: \(fault)")
    }

    /// By notify-send: it knows the desktop's bus, and ends by itself where that does not answer.
    static let byProgram: Show = { text in
        let status = HangNotifier.send(text.summary, NotifySendText(text.body.text))
        if status == -ENOENT { return "notify-send is not installed (package libnotify-bin)" }
        if status < 0 { return "notify-send cannot be started: \(SystemRefusal(errno: -status).text)" }
        return status == 0 ? nil : "notify-send failed: does a desktop run that shows notifications?"
    }

    private static func send(_ summary: String, _ body: NotifySendText) -> Int32 {
        // Safe: the texts end with 0 and outlive the call.
        unsafe cmessagebus_notify(summary, body.text)
    }
}

/// A text for notify-send, which shows it as it was.
typealias NotifySendText = EscapedText<NotifySendSyntax>

/// How notify-send is given a body: it reads escapes as C does (`g_strcompress`), and would make markup of the `\074` in a view's name.
enum NotifySendSyntax: TextSyntax {
    /// Each backslash is doubled.
    static func escaped(_ text: String.UnicodeScalarView) -> String.UnicodeScalarView {
        String.UnicodeScalarView(text.flatMap { $0 == "\\" ? [$0, $0] : [$0] })
    }
}

/// What a notification says of a hang.
struct NotificationText: Hashable, Sendable {
    var summary: String
    /// Markup, for some desktops.
    var body: Markup

    /// Longer names fill a desktop; what matters stands at their beginning.
    private static let longest = 80

    init(_ hang: Hang, suppressed: UInt64) {
        summary = "\(Self.shortened(hang.process)) hung for \(Self.duration(hang.durationNanoseconds))"
        var sentences: [Markup] = [Self.blame(hang)] + Self.threshold(hang)
        if let share = Self.percent(hang.starvedNanoseconds, of: hang, least: 5) {
            sentences.append("The thread had no processor for \(share) of it.")
        }
        if let share = Self.percent(hang.stoppedNanoseconds, of: hang, least: 5) {
            sentences.append("The process was stopped for \(share) of it.")
        }
        if let waitingOn = hang.waitingOn { sentences.append("It waited in \(Self.shortened(waitingOn)).") }
        if suppressed > 0 {
            sentences.append("\(suppressed) more \(suppressed == 1 ? "hang" : "hangs") since the last notice.")
        }
        body = sentences.joined(separator: " ")
    }

    private static func blame(_ hang: Hang) -> Markup {
        guard let blamed = hang.blamedName else {
            if let source = hang.source {
                let place = [source, hang.call].compactMap(\.self).map(shortened).joined(separator: ", in ")
                return "It was in \(place)."
            }
            return hang.unattributedNanoseconds == nil
                ? "How long each part of it took is not known." : "No view had a fifth of it."
        }
        let phase = (hang.phase ?? .body).rawValue
        let name = (hang.handler == nil ? "the \(phase) of " : "the handler ") + shortened(blamed)
        let share = percent(hang.share ?? 0, of: hang, least: 1) ?? "Part"
        return hang.guess ? "Perhaps in \(name)." : "\(share) of it was in \(name)."
    }

    /// Who ran when the threshold was crossed, if that is another view.
    private static func threshold(_ hang: Hang) -> [Markup] {
        guard let view = hang.viewAtThreshold, !hang.isInBodyAtThreshold else { return [] }
        return ["\(shortened(view.displayName)) ran when it became a hang."]
    }

    /// A part in percent; nil below `least`.
    private static func percent(_ nanoseconds: UInt64, of hang: Hang, least: UInt64) -> String? {
        let percent = min(100, nanoseconds / max(1, hang.durationNanoseconds / 100))
        return percent < least ? nil : "\(percent)%"
    }

    private static func duration(_ nanoseconds: UInt64) -> String {
        let milliseconds = nanoseconds / 1_000_000
        guard milliseconds >= 1_000 else { return "\(milliseconds) ms" }
        return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s"
    }

    private static func shortened(_ text: String) -> String {
        let safe = Printable.text(text)
        return safe.count > longest ? String(safe.prefix(longest)) + "…" : safe
    }
}
