// SPDX-License-Identifier: MIT
// How a renderer may go from the old values of a layer to the new ones.

public import Foundation

/// How a change becomes visible step by step.
///
/// The loop commits the new values at once and evaluates nothing for an animation. A renderer that draws steps finds the
/// animation in ``LayerChange/animation``.
public struct Animation: Hashable, Sendable {
    /// How fast things are at which time.
    public enum Curve: Hashable, Sendable {
        /// Always the same.
        case linear
        /// Slow at first.
        case easeIn
        /// Slow at the end.
        case easeOut
        /// Slow at first and at the end.
        case easeInOut
        /// A cubic curve with two control points.
        case timing(Double, Double, Double, Double)
        /// A spring: 1 is as much damping as keeps it from swinging.
        case spring(dampingFraction: Double)
    }

    /// How fast things are at which time.
    public let curve: Curve
    /// How long it takes, in seconds; of a spring, how long a swing takes.
    public let duration: TimeInterval
    /// When it begins, in seconds.
    public private(set) var delay: TimeInterval = 0
    /// How often time passes faster than it does.
    public private(set) var speed = 1.0
    /// How often it runs; nil for without an end.
    public private(set) var repeatCount: Int? = 1
    /// Whether every second run goes back.
    public private(set) var autoreverses = false

    private init(_ curve: Curve, _ duration: TimeInterval) {
        self.curve = curve
        self.duration = duration
    }
}

extension Animation {
    /// What `withAnimation` takes where none is named: a spring that does not swing.
    public static var `default`: Animation { spring() }

    /// Always as fast.
    public static var linear: Animation { linear(duration: 0.35) }
    /// Always as fast, for so many seconds.
    public static func linear(duration: TimeInterval) -> Animation { Animation(.linear, duration) }

    /// Slow at first.
    public static var easeIn: Animation { easeIn(duration: 0.35) }
    /// Slow at first, for so many seconds.
    public static func easeIn(duration: TimeInterval) -> Animation { Animation(.easeIn, duration) }

    /// Slow at the end.
    public static var easeOut: Animation { easeOut(duration: 0.35) }
    /// Slow at the end, for so many seconds.
    public static func easeOut(duration: TimeInterval) -> Animation { Animation(.easeOut, duration) }

    /// Slow at first and at the end.
    public static var easeInOut: Animation { easeInOut(duration: 0.35) }
    /// Slow at first and at the end, for so many seconds.
    public static func easeInOut(duration: TimeInterval) -> Animation { Animation(.easeInOut, duration) }

    /// A cubic curve with two control points, for so many seconds.
    public static func timingCurve(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, duration: TimeInterval = 0.35
    ) -> Animation {
        Animation(.timing(x1, y1, x2, y2), duration)
    }

    /// A spring that does not swing.
    public static var spring: Animation { spring() }
    /// A spring that does not swing.
    public static var smooth: Animation { spring() }
    /// A spring that swings a little.
    public static var snappy: Animation { spring(dampingFraction: 0.85) }
    /// A spring that swings.
    public static var bouncy: Animation { spring(dampingFraction: 0.7) }

    /// A spring. The damping is 0 for one that swings without an end, and 1 for one that does not swing.
    public static func spring(
        response: Double = 0.5, dampingFraction: Double = 1, blendDuration: TimeInterval = 0
    ) -> Animation {
        Animation(.spring(dampingFraction: dampingFraction), response)
    }

    /// A spring. The bounce is 0 for one that does not swing.
    public static func spring(duration: TimeInterval, bounce: Double = 0) -> Animation {
        spring(response: duration, dampingFraction: 1 - bounce)
    }

    /// The animation, begun so many seconds later.
    public func delay(_ delay: TimeInterval) -> Animation { with { $0.delay += delay } }
    /// The animation, so many times as fast.
    public func speed(_ speed: Double) -> Animation { with { $0.speed *= speed } }

    /// The animation, run so many times.
    public func repeatCount(_ count: Int, autoreverses: Bool = true) -> Animation {
        with { ($0.repeatCount, $0.autoreverses) = (count, autoreverses) }
    }

    /// The animation, run without an end.
    public func repeatForever(autoreverses: Bool = true) -> Animation {
        with { ($0.repeatCount, $0.autoreverses) = (nil, autoreverses) }
    }

    private func with(_ change: (inout Animation) -> Void) -> Animation {
        var animation = self
        change(&animation)
        return animation
    }
}
