// SPDX-License-Identifier: MIT
// How workflow commands of GitHub Actions write text.

import RerenderShow

/// The message of a workflow command: what would end the line is escaped.
enum WorkflowMessageSyntax: TextSyntax {
    static func escaped(_ text: String.UnicodeScalarView) -> String.UnicodeScalarView {
        text.reduce(into: "".unicodeScalars) { escaped, scalar in
            switch scalar {
            case "%", "\r", "\n": escaped.append(contentsOf: hexadecimal(scalar))
            default: escaped.append(scalar)
            }
        }
    }

    /// `%25` and so on. Of two digits: for scalars from U+0010 to U+00FF, and the two that end a line.
    fileprivate static func hexadecimal(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return ((digits.utf8.count < 2 ? "%0" : "%") + digits).unicodeScalars
    }
}

/// The value of a property: what would begin another one, or the message, is escaped too.
enum WorkflowPropertySyntax: TextSyntax {
    static func escaped(_ text: String.UnicodeScalarView) -> String.UnicodeScalarView {
        text.reduce(into: "".unicodeScalars) { escaped, scalar in
            switch scalar {
            case "%", "\r", "\n", ":", ",": escaped.append(contentsOf: WorkflowMessageSyntax.hexadecimal(scalar))
            default: escaped.append(scalar)
            }
        }
    }
}
