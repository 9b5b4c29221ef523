// SPDX-License-Identifier: MIT
// The cause of an evaluation that who calls it finds, when it has ended.

import RerenderModel

/// Why something was evaluated, and whether that was needed, as somebody else found it.
package struct ToldCause: Sendable {
    /// nil if nothing that is known explains it. An instance's first evaluation is `initial`, whatever is told.
    var reason: String?
    var attribution: Attribution
    /// Whether the output is that of the instance's last evaluation; nil if that is not known.
    var isSameOutput: Bool?

    package init(reason: String?, attribution: Attribution, isSameOutput: Bool?) {
        (self.reason, self.attribution, self.isSameOutput) = (reason, attribution, isSameOutput)
    }

    /// As the store counts it.
    var cause: EvaluationCause {
        var cause = reason.map { EvaluationCause(reason: $0, attribution: attribution) } ?? EvaluationCause()
        cause.isUnjudged = isSameOutput == nil
        return cause
    }
}
