// SPDX-License-Identifier: MIT
// The option that chooses the columns of tables of views.

import ArgumentParser
import RerenderDaemon
import RerenderShow

/// `--columns`.
struct ColumnsOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Show these columns of the table, such as count,self,why. (default: what fits)", valueName: "list"),
        completion: .list(ViewTable.columnNames))
    var columns: String?

    private var given: [String]? { columns?.split(separator: ",").map { $0.trimmingPrefix(" ").lowercased() } }

    /// The columns that the option or the settings file chooses, by their names; nil for those that fit.
    var names: [String]? { given ?? ToolSettings.current.columns }

    func validate() throws {
        guard let given else { return }
        if let fault = ViewTable.fault(inColumns: given) { throw ValidationError(fault) }
    }
}
