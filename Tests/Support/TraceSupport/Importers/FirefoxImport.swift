// SPDX-License-Identifier: MIT
// The rules by which Firefox's profiler reads Chrome's trace event format.

/// What it makes of a file: a marker of each event with a time, and threads with names.
///
/// - Events are found by name, whatever their phase is: some names stand for parts of a profile of JavaScript, and for names of
///   threads and processes; the first counts.
/// - A marker shows its name, its category and `detail`; of other arguments it shows `data` alone.
struct FirefoxImport {
    struct Marker {
        let thread: String
        let process: String
        let name: String
        let category: String
        /// In microseconds; a point has no end.
        let start: Double
        let end: Double?
        let detail: String?
    }

    private(set) var markers: [Marker] = []
    private var threads: [ImportedThread: String] = [:]
    private var processes: [Int: String] = [:]

    init(_ text: String) throws {
        let events = try ImportedFile.events(text)
        for event in events {
            guard event.fields["name"] as? String != nil else { throw ImportFault("an event has no name") }
            if let fault = Self.fault(of: event) { throw fault }
            let name = event.arguments?["name"] as? String ?? ""
            if event.name == "thread_name", threads[event.thread] == nil { threads[event.thread] = name }
            if event.name == "process_name", processes[event.pid] == nil { processes[event.pid] = name }
        }
        let skipped: Set = ["Profile", "ProfileChunk", "CpuProfile"]
        let points: Set = ["B", "E", "b", "n", "e", "i", "I", "R"]
        for event in events where !skipped.contains(event.name) {
            guard let start = event.time, start.isFinite else { continue }
            let isComplete = event.phase == "X" && event.duration?.isFinite == true
            guard isComplete || points.contains(event.phase) else { continue }
            markers.append(
                Marker(
                    thread: threads[event.thread] ?? "Chrome Thread", process: processes[event.pid] ?? "",
                    name: event.name, category: event.category, start: start,
                    end: isComplete ? start + (event.duration ?? 0) : nil,
                    detail: event.arguments?["data"] == nil ? event.arguments?["detail"] as? String : nil))
        }
    }

    /// What an event of a name of its own has to have.
    private static func fault(of event: ImportedEvent) -> ImportFault? {
        let data = event.arguments?["data"] as? [String: Any]
        switch event.name {
        case "Profile" where data?["startTime"] == nil: return ImportFault("Profile has no startTime")
        case "CpuProfile" where data?["cpuProfile"] == nil: return ImportFault("CpuProfile has no cpuProfile")
        case "ScriptCatchup" where data?["url"] == nil: return ImportFault("ScriptCatchup has no url")
        case "Screenshot" where event.arguments?["snapshot"] == nil: return ImportFault("Screenshot has no picture")
        default: return nil
        }
    }
}
