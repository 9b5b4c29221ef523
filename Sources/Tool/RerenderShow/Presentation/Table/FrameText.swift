// SPDX-License-Identifier: MIT
// Describes the frames of a process.

/// Frames in words.
enum FrameText {
    /// How many, how many over their interval, and where the time went. What is not known is a dash.
    static func summary(_ frames: FrameStats) -> String {
        let phases = [
            ("update", frames.updateNanoseconds), ("layout", frames.layoutNanoseconds),
            ("snapshot", frames.snapshotNanoseconds), ("drawing", frames.drawingNanoseconds),
        ].map { "\($0.0) \(DurationText.short($0.1))" }
        return "\(Counted.text(frames.count, "frame")), \(over(frames)), longest "
            + "\(DurationText.short(frames.longestNanoseconds)); \(phases.joined(separator: ", ")); "
            + "to presentation \(frames.presentationNanoseconds.map(DurationText.short) ?? "–")"
    }

    private static func over(_ frames: FrameStats) -> String {
        guard let interval = frames.intervalNanoseconds else { return "interval –, not judged" }
        let word = frames.isIntervalTold ? "" : " (GTK's default)"
        let judged = "\(Counted.grouped(frames.overInterval)) over \(DurationText.short(interval))\(word)"
        return frames.notJudged == 0 ? judged : "\(judged), \(Counted.grouped(frames.notJudged)) not judged"
    }
}
