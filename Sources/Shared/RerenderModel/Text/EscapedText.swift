// SPDX-License-Identifier: MIT
// Text in the syntax of another program: a shell, XML, CSV.

/// The rules of a syntax that text is written in.
package protocol TextSyntax: Sendable {
    /// Returns a text as the syntax writes it, so that nothing in it has a meaning.
    ///
    /// It gets scalars and not characters: a sign of the syntax and an accent behind it are one `Character`.
    static func escaped(_ text: String.UnicodeScalarView) -> String.UnicodeScalarView
}

/// Text in a syntax in which no text of others has a meaning.
///
/// A literal is taken as it is. What is interpolated is escaped, and so is what ``init(_:)`` takes:
///
/// ```swift
/// let line: ShellCommand = "rerenderctl explain \(key)"
/// ```
///
/// Nothing else makes one, and nothing changes one. What writes in a syntax takes its type, so that a text that was not escaped does not
/// compile there.
package struct EscapedText<Syntax: TextSyntax>: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The text, for what writes it. It must not be changed: it could get another meaning.
    package let text: String

    fileprivate init(escaped text: String) { self.text = text }

    package init(stringLiteral literal: String) { text = literal }

    package init(stringInterpolation parts: Parts) { text = String(parts.text) }

    /// Escapes a text. Linear in its length. A literal is not escaped here either: the compiler takes it for one of this type.
    package init(_ text: String) { self.text = String(Syntax.escaped(text.unicodeScalars)) }

    /// A number, which no syntax escapes.
    package init(_ number: some BinaryInteger) { text = String(number) }

    package static func + (one: Self, other: Self) -> Self { Self(escaped: one.text + other.text) }

    /// The pieces that a literal is made of.
    package struct Parts: StringInterpolationProtocol {
        fileprivate var text = "".unicodeScalars

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { text.append(contentsOf: literal.unicodeScalars) }

        package mutating func appendInterpolation(_ other: String) {
            text.append(contentsOf: Syntax.escaped(other.unicodeScalars))
        }

        package mutating func appendInterpolation(_ other: EscapedText) {
            text.append(contentsOf: other.text.unicodeScalars)
        }

        package mutating func appendInterpolation(_ number: some BinaryInteger) {
            text.append(contentsOf: String(number).unicodeScalars)
        }
    }
}

extension EscapedText: CustomStringConvertible {
    /// The same as ``text``, for sentences that name a command.
    package var description: String { text }
}

extension Sequence {
    /// The texts in one, with a separator between them.
    package func joined<Syntax>(separator: EscapedText<Syntax>) -> EscapedText<Syntax>
    where Element == EscapedText<Syntax> {
        EscapedText(escaped: map(\.text).joined(separator: separator.text))
    }
}
