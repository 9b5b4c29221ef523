// SPDX-License-Identifier: MIT
// The result of `rerenderctl diff` in every form.

package import RerenderToolBase

/// A comparison in all its forms.
package struct DiffResult: ResultDocument {
    let diff: ExportDiff
    /// The paths of the exports.
    let old: String
    let new: String

    package init(diff: ExportDiff, old: String, new: String) {
        (self.diff, self.old, self.new) = (diff, old, new)
    }

    package var styledLines: [StyledLine] { DiffText(diff: diff).lines }
    package var jsonDocument: some Encodable { DiffJSON(diff) }
    package var markdown: String { DiffMarkdown(diff: diff).text }
    package var junit: JUnitXML { DiffJUnit.document(diff, old: old, new: new) }
}
