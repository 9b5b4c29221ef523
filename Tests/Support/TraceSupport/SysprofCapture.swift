// SPDX-License-Identifier: MIT
// A small model of Sysprof's captures: the header and the frames, as its readers take them.

import Testing

/// A capture that was read whole.
struct SysprofCapture {
    /// A mark.
    struct Mark: Equatable {
        let group: String
        let name: String
        let message: String
        let pid: Int32
        let time: Int64
        let duration: Int64
    }

    /// When it was made, as text, and by the clock of the times.
    private(set) var capturedAt = ""
    private(set) var time: Int64 = 0
    private(set) var marks: [Mark] = []
    /// What processes are called.
    private(set) var processes: [Int32: String] = [:]
    /// Counters by their numbers, and the values that they got, in their order.
    private(set) var counters: [UInt32: String] = [:]
    private(set) var values: [String] = []
    /// The types of all frames.
    private(set) var kinds: [UInt8] = []
    private(set) var lastTime: Int64 = 0

    /// Reads a capture, and holds it to the rules of the format on which readers rely.
    init(_ bytes: [UInt8]) {
        #expect(bytes.count >= 256 && bytes.count % 8 == 0)
        guard bytes.count >= 256 else { return }
        // The magic number, version 1, and little endian.
        #expect(Array(bytes[..<8]) == [0x5E, 0x97, 0xCA, 0xFD, 1, 1, 0, 0])
        capturedAt = Self.text(bytes[8..<72])
        time = Self.number(bytes[72..<80])
        // Readers look for an end that comes before the beginning.
        #expect(Self.number(bytes[80..<88]) == 0 && bytes[88..<256].allSatisfy { $0 == 0 })
        var place = 256
        while place < bytes.count {
            // The size is a multiple of eight, so that the length of the next frame is there.
            let length = Int(bytes[place]) | Int(bytes[place + 1]) << 8
            guard length >= 24, length % 8 == 0, place + length <= bytes.count else {
                Issue.record("a frame of \(length) bytes at \(place)")
                return
            }
            read(Array(bytes[place..<place + length]))
            place += length
        }
    }

    private mutating func read(_ frame: [UInt8]) {
        // No processor.
        #expect(frame[2] == 0xFF && frame[3] == 0xFF)
        let pid = Int32(truncatingIfNeeded: Self.number(frame[4..<8]))
        let time = Self.number(frame[8..<16])
        #expect(time >= self.time && frame[17..<24].allSatisfy { $0 == 0 })
        lastTime = max(lastTime, time)
        kinds.append(frame[16])
        switch frame[16] {
        case 1: #expect(frame.count == 24)
        case 4:
            #expect(processes[pid] == nil && frame.last == 0)
            processes[pid] = Self.text(frame[24...])
        case 8:
            #expect(frame.count == 32 + 128 && Self.number(frame[24..<32]) == 1)
            let id = UInt32(truncatingIfNeeded: Self.number(frame[148..<152]))
            #expect(id > 0 && id < 1 << 24 && counters[id] == nil && Self.text(frame[32..<64]) == "Rerender")
            #expect(!Self.text(frame[96..<148]).isEmpty)
            counters[id] = Self.text(frame[64..<96])
        case 9:
            #expect(frame.count == 32 + 96 && Self.number(frame[24..<32]) == 1)
            let id = UInt32(truncatingIfNeeded: Self.number(frame[32..<36]))
            #expect(counters[id] != nil, "a counter is introduced before its first value")
            values.append("\(counters[id] ?? "?") \(Self.number(frame[64..<72]))")
        case 10:
            #expect(frame.count > 96 && frame.last == 0 && frame[55] == 0 && frame[95] == 0)
            let mark = Mark(
                group: Self.text(frame[32..<56]), name: Self.text(frame[56..<96]), message: Self.text(frame[96...]),
                pid: pid, time: time, duration: Self.number(frame[24..<32]))
            #expect(!mark.group.isEmpty && !mark.name.isEmpty && mark.duration >= 0)
            marks.append(mark)
        default: Issue.record("a frame of the type \(frame[16])")
        }
    }

    /// The text up to a zero, which must be UTF-8.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let text = bytes.prefix { $0 != 0 }
        #expect(String(validating: text, as: UTF8.self) != nil)
        return String(decoding: text, as: UTF8.self)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        Int64(bitPattern: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
