// SPDX-License-Identifier: MIT
// A result in every form that it can be written in.

/// The forms of one result.
package protocol ResultDocument: Sendable {
    func lines(width: Int, colours: Bool) -> [String]
    func json() throws -> String
    var markdown: String { get }
    var junit: JUnitXML { get }
}
