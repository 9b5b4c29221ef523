// SPDX-License-Identifier: MIT
// Finds the traces that the flight recorder saved at hangs.

internal import NIOCore
internal import NIOPosix
import RerenderModel

/// Looks for the trace of each hang that ended, off the event loop to which it is confined.
final class CaptureSearch {
    private let context: DaemonContext
    /// Hangs whose traces the next scan searches for.
    private var waiting: [(hang: Hang, openedAt: Timestamp)] = []
    private var isScanning = false
    /// The hang of that number has got a trace.
    private let onFound: (UInt64) -> Void

    init(_ context: DaemonContext, onFound: @escaping (UInt64) -> Void) {
        self.context = context
        self.onFound = onFound
    }

    /// Looks for the trace of a hang that has just ended: after a moment, since LTTng still writes it.
    func search(for hang: Hang) {
        let openedAt = hang.startedAt.nanosecondsSince1970 &+ Int64(clamping: hang.openedAfterNanoseconds ?? 0)
        context.loop.scheduleTask(in: context.limits.captureDelay) {
            self.waiting.append((hang, Timestamp(nanosecondsSince1970: openedAt)))
            self.scan()
        }
    }

    /// One scan at a time, for all hangs that wait: the directory may be on a slow disk.
    private func scan() {
        guard !isScanning, !waiting.isEmpty else { return }
        isScanning = true
        let hangs = waiting
        waiting = []
        let loop = context.loop.nonisolated()
        NIOThreadPool.singleton.runIfActive(eventLoop: loop) { HangCaptures.current()?.scan(for: hangs) }
            .assumeIsolated().whenComplete { result in
                self.isScanning = false
                if case .success(let scan?) = result { self.take(scan) }
                self.scan()
            }
    }

    private func take(_ scan: HangCaptures.Scan) {
        context.registry.forgetTraces(in: scan.directory, except: scan.kept)
        for (id, trace) in scan.traces {
            context.registry.noteTrace(trace, ofHang: id)
            onFound(id)
        }
    }
}
