// SPDX-License-Identifier: MIT
// The memory of closures of gjs and of functions of its engine, which may be anything.

#if DEBUG || RERENDER_FUZZ
    import CRerender
    import FuzzWire

    extension FuzzTarget {
        /// The bytes are the memory; a closure or a function is at each word. The engine's address is the byte in front, times 8.
        static let javascript = FuzzTarget("javascript", longest: 1_024) { bytes in
            guard let first = bytes.first else { return }
            try bytes.dropFirst().withUnsafeBytes { buffer in
                var memory = ForeignMemory(buffer, at: 0x1_000)
                try withUnsafeMutablePointer(to: &memory) { try JavaScriptChecks.run($0, engine: UInt(first) * 8) }
            }
        }
    }

    private enum JavaScriptChecks {
        static func run(_ memory: UnsafeMutablePointer<ForeignMemory>, engine: UInt) throws {
            var reader = ForeignMemory.reader(memory)
            var owner = javascript_owner(engine: engine, low: 0x1_000, high: 0x2_000)
            let base = memory.pointee.base
            for address in stride(from: base - 64, to: base + UInt(memory.pointee.bytes.count) + 64, by: 8) {
                var object: UInt = 0
                var script: UInt = 0
                try ForeignMemory.bound(memory, 4, "a closure") {
                    object = javascript_object(&reader, address, &owner)
                    script = javascript_script(&reader, address)
                }
                var objects: [UInt] = [0, 0]
                var hasVariables = false
                try ForeignMemory.bound(memory, 6, "variables") {
                    hasVariables = javascript_variables(&reader, address, address & 8 == 0 ? 5 : 6, &objects)
                }
                try hold(hasVariables || objects == [0, 0], "variables of another scope")
                try hold(objects.allSatisfy { $0 >> 47 == 0 }, "a variable that is no address")
                let word = { (place: UInt) in memory.pointee.word(address + place * 8) }
                if object != 0 {
                    try hold(word(4) == engine, "an object of another engine")
                    let notifier = word(3).flatMap { memory.pointee.word($0 &+ 8) }
                    try hold(notifier.map { owner.low..<owner.high ~= $0 } == true, "an object of no closure of gjs")
                }
                if script != 0 { try hold(word(5) == script && (word(3) ?? 0) & 0x30 == 0x20, "another script") }
            }
        }
    }
#endif
