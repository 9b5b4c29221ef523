// SPDX-License-Identifier: MIT
// The width of text in terminal columns.

/// Measures text in terminal columns, as `wcwidth` and the common terminals do.
///
/// The text must be printable (see `Printable`): a control character would count one column and take none.
package enum DisplayWidth {
    /// The columns that a text takes. Linear in its length; ASCII, arrows and bars take the short way.
    package static func of(_ text: some StringProtocol) -> Int {
        narrow(text) ?? text.reduce(0) { $0 + of($1) }
    }

    /// The columns of a text of which every scalar is a character and takes one; nil for others.
    package static func narrow(_ text: some StringProtocol) -> Int? {
        let bytes = text.utf8
        // Their bits together, in a loop without a branch; the bytes are lent for the call.
        let isASCII = bytes.withContiguousStorageIfAvailable { unsafe $0.reduce(0) { $0 | $1 } < 0x80 }
        if isASCII ?? bytes.allSatisfy({ $0 < 0x80 }) { return bytes.count }
        var columns = 0
        for scalar in text.unicodeScalars {
            guard isNarrow(scalar.value) else { return nil }
            columns += 1
        }
        return columns
    }

    /// Letters below the first combining mark, the ellipsis, arrows, lines and bars.
    private static func isNarrow(_ value: UInt32) -> Bool {
        value < 0x300 || value == 0x2026 || (0x2190...0x2193).contains(value) || (0x2500...0x259F).contains(value)
    }

    /// The columns that one character takes: 0, 1 or 2, more only where scripts join several letters into one.
    package static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        if scalars.count > 1, isDrawnAsOneEmoji(scalars) { return 2 }
        return scalars.reduce(0) { $0 + of($1) }
    }

    /// The columns of one scalar by itself.
    package static func of(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if isNarrow(value) { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if (0x1160...0x11FF).contains(value) { return 0 }  // Hangul vowels and finals join the wide initial
        return isWide(scalar) ? 2 : 1
    }

    private static func isDrawnAsOneEmoji(_ scalars: Character.UnicodeScalarView) -> Bool {
        guard let first = scalars.first, first.properties.isEmoji else { return false }
        return scalars.dropFirst().contains { scalar in
            scalar.value == 0xFE0F || scalar.value == 0x200D || scalar.properties.isEmojiModifier
                || (0x1F1E6...0x1F1FF).contains(scalar.value)
        }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        guard value >= 0x1100 else { return false }
        if (0x1F1E6...0x1F1FF).contains(value) { return false }  // half a flag
        if scalar.properties.isEmojiPresentation { return true }
        return wideRanges.contains { $0.contains(value) }
    }

    /// East Asian Width "W" and "F" of Unicode 15 by block; wide emoji come from the scalar's own properties.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x2FFFD,
        0x30000...0x3FFFD,
    ]
}
