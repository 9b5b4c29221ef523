// SPDX-License-Identifier: MIT
// The cause of an evaluation that who calls it finds, when it has ended.

import RerenderModel

/// Why something was evaluated, and whether that was needed, as somebody else found it.
package struct ToldCause: Sendable {
    /// The number of the reason, which stands for a text; 0 if nothing that is known explains it. An instance's first evaluation
    /// is `initial`, whatever is told.
    var reason: UInt32
    /// Whether the reason is proved to have led to the evaluation. Otherwise it is what is known to have happened before it.
    var isProved: Bool
    /// Whether the output is that of the instance's last evaluation; nil if that is not known.
    var isSameOutput: Bool?

    /// Where the program wrote what is the reason: the address that its call returns to; 0 where that is not known.
    var writer: UInt

    /// What called the code that wrote.
    package struct Callback: Equatable, Sendable {
        package enum Source: String, Sendable { case timer, idleFunction = "idle function", source }

        let source: Source
        /// Its function's address; 0 where that is not known.
        let function: UInt

        package init(_ source: Source, function: UInt) { (self.source, self.function) = (source, function) }
    }

    /// What called the code that wrote; nil where that is not known.
    var callback: Callback?

    @inline(__always)
    package init(
        reason: UInt32, isProved: Bool, isSameOutput: Bool?, writer: UInt = 0,
        callback: Callback? = nil
    ) {
        (self.reason, self.isProved, self.isSameOutput) = (reason, isProved, isSameOutput)
        (self.writer, self.callback) = (writer, callback)
    }

    var workCallback: WorkCallback? {
        callback.map { WorkCallback(source: $0.source.rawValue, function: $0.function) }
    }

    /// As the store counts it, with the text of the reason; nil for no reason.
    func cause(_ text: String?) -> EvaluationCause {
        var cause = text.map { EvaluationCause(reason: $0, attribution: .exact) } ?? EvaluationCause()
        if text == nil { cause.reason = Reason.unknown }
        cause.isTold = true
        if !isProved { cause.leaveUncertain() }
        cause.isUnjudged = isSameOutput == nil
        if writer != 0, text != nil {
            let origin = WriteOrigin(stack: .ofCaller(writer), handler: nil)
            cause.writers = [(Writer(function: .caller, origin: origin), 1)]
        }
        return cause
    }
}
