// SPDX-License-Identifier: MIT
// What a user asks to see on the app's screen, and what becomes of it.

public import RerenderModel
import Synchronization

/// What a user asks bridges to a screen to show.
@_spi(Bridge)
public enum ScreenRequest: Hashable, Sendable {
    /// Show where the instances of a view are.
    case pulse(ViewKey)
    /// Show the table of views above everything, or take it away.
    case hud(isOn: Bool)
    /// Flash the views that draw again, or end that.
    case highlight(isOn: Bool)

    init(_ overlay: ScreenOverlay, isOn: Bool) {
        self =
            switch overlay {
            case .hud: .hud(isOn: isOn)
            case .highlight: .highlight(isOn: isOn)
            }
    }
}

/// Collects what bridges say of one request. It is complete when the last of them lets go of it.
@_spi(Bridge)
public final class ScreenReply: Sendable {
    /// What became of a request.
    package struct Sum: Hashable, Sendable {
        /// Handlers and bridges that took it, and bridges that said what they show.
        package var (reached, answered): (UInt32, UInt32) = (0, 0)
        /// Of a pulse, the instances that it was shown over, and all that the bridges know. Of an overlay, the windows.
        package var (shown, instances): (UInt32, UInt32) = (0, 0)
    }

    private let sum = Mutex(Sum())
    private let whenComplete: @Sendable (Sum) -> Void

    /// - Parameter whenComplete: Called once, on the thread that lets go of it last.
    package init(whenComplete: @escaping @Sendable (Sum) -> Void) { self.whenComplete = whenComplete }

    /// Adds what a bridge shows. Any thread.
    public func add(shown: Int, of instances: Int) {
        sum.withLock { sum in
            sum.answered = Self.sum(sum.answered, 1)
            sum.shown = Self.sum(sum.shown, shown)
            sum.instances = Self.sum(sum.instances, instances)
        }
    }

    func noteReached() { sum.withLock { $0.reached = Self.sum($0.reached, 1) } }

    private static func sum(_ number: UInt32, _ more: Int) -> UInt32 {
        UInt32(clamping: Int(number) &+ Int(UInt32(clamping: more)))
    }

    deinit { whenComplete(sum.withLock { $0 }) }
}

/// The bridges that are asked, beside the app's own handler.
struct ScreenFollowers: Sendable {
    typealias Body = @Sendable (ScreenRequest, ScreenReply) -> Bool

    private var followers: [(id: UInt64, body: Body)] = []
    private var serial: UInt64 = 0

    var all: [Body] { followers.map(\.body) }

    mutating func add(_ body: @escaping Body) -> UInt64 {
        serial += 1
        followers.append((serial, body))
        return serial
    }

    mutating func remove(_ id: UInt64) { followers.removeAll { $0.id == id } }
}
