// SPDX-License-Identifier: MIT
// Says how far the reading of a recording is.

package import RerenderShow
package import RerenderTrace

extension ProgressLine {
    /// Reads the recording at `path`; the work reports how far it is.
    package static func reading<Result>(
        _ path: String, _ work: (@escaping (TraceProgress) -> Void) throws -> Result
    ) throws -> Result {
        try during("reading \(Printable.text(path))") { line in
            var began: Int64?
            return try work { progress in
                let begin = began ?? progress.nanoseconds
                began = begin
                let span = UInt64(max(0, progress.nanoseconds - begin))
                line.show(
                    "reading: \(Counted.text(progress.events, "event")), \(DurationText.short(span)) of the recording")
            }
        }
    }
}
