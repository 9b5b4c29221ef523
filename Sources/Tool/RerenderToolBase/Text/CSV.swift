// SPDX-License-Identifier: MIT
// Writes comma-separated values (RFC 4180).

/// Writes records of RFC 4180: fields quoted where needed, CR LF at the end of each.
package enum CSV {
    /// One record.
    package static func record(_ fields: [String]) -> String {
        fields.map(field).joined(separator: ",") + "\r\n"
    }

    /// Looks at scalars: CR LF is one `Character`, and so is a quotation mark with an accent on it.
    private static func field(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let special = scalars.contains { $0 == "," || $0 == "\"" || $0 == "\r" || $0 == "\n" }
        guard special || scalars.first == " " || scalars.last == " " else { return text }
        var quoted = "\"".unicodeScalars
        for scalar in scalars {
            if scalar == "\"" { quoted.append(scalar) }
            quoted.append(scalar)
        }
        quoted.append("\"")
        return String(quoted)
    }
}
