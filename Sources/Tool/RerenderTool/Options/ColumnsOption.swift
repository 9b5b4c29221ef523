// SPDX-License-Identifier: MIT
// The option that chooses the columns of tables of views.

import ArgumentParser
import RerenderPresentation
import RerenderSettings
import RerenderToolBase

/// `--columns`.
struct ColumnsOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Show these columns of the table, such as count,self,why. (default: what fits)", valueName: "list"),
        completion: .list(ViewTable.columnNames))
    var columns: String?

    /// The columns that the option or the settings file chooses, by their names; nil for those that fit.
    ///
    /// Throws status 64 or 78 where there is no such column.
    func names() throws(ToolFailure) -> [String]? {
        let given = columns?.split(separator: ",").map { $0.trimmingPrefix(" ").lowercased() }
        guard let names = given ?? ToolSettings.current.columns else { return nil }
        let unknown = names.filter { !ViewTable.columnNames.contains($0) }
        guard unknown.isEmpty, !names.isEmpty else {
            let place = given == nil ? "\(Printable.text(ToolSettings.file?.path ?? "")): " : ""
            throw ToolFailure(
                given == nil ? ExitStatus.configuration : ExitStatus.usage,
                "\(place)there is no column \"\(Printable.text(unknown.first ?? ""))\".\n"
                    + "There are: \(Counted.list(ViewTable.columnNames))")
        }
        return names
    }
}
