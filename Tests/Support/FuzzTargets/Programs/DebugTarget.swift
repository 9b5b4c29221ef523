// SPDX-License-Identifier: MIT
// A stripped file, the file with its debug information, and what is compressed in it: each may be damaged or made to harm.

#if DEBUG || RERENDER_FUZZ
    import CRerender
    import FuzzWire
    @testable import Rerender

    extension FuzzTarget {
        /// The bytes are a file. The first eight steer what is asked: they are an ELF file's own, and are put right.
        static let debug = FuzzTarget("debug", longest: 16_384) { bytes in
            try expanded(bytes)
            guard bytes.count > 8 else { return }
            let magic: [UInt8] = [0x7F, UInt8(ascii: "E"), UInt8(ascii: "L"), UInt8(ascii: "F"), 2, 1, 1, 0]
            guard let file = MappedFile(copying: magic + bytes[8...]), let sections = FileSections(file) else { return }
            try marks(DebugFile(file, sections))
            let readable = DebugSections.readable(sections, of: file)
            try hold(readable.file.count <= max(file.count, SymbolLimits.expandedBytes), "\(readable.file.count) bytes")
            if let called = SymbolTable(file)?.wrapped(by: "_win_tick_gsource_func") {
                try hold("win_tick_gsource".hasPrefix(called.name.prefix { $0 != "." }), "\(called.name) is called")
            }
            guard let table = LineTable(file) else { return }
            try hold(table.copiedBytes <= SymbolLimits.expandedBytes, "\(table.copiedBytes) bytes of its own")
            _ = table.place(at: UInt64(bytes[0]) * 16 + 0x1000)
        }

        /// Where a file leads to: always into the folders that are looked at.
        private static func marks(_ debug: DebugFile) throws {
            let places = debug.places(besides: "/opt/shop/bin/shop")
            try hold(places.count <= 4, "\(places.count) places")
            for place in places {
                let folders = ["/opt/shop/bin/", "/usr/lib/debug/"]
                try hold(folders.contains(where: place.hasPrefix), "\(place) is elsewhere")
                try hold(
                    !place.utf8.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }, place)
            }
            try hold((debug.buildID?.count ?? 2) >= 2, "a short mark")
            try hold(debug.link?.name.isEmpty != true, "a name of no letters")
        }

        /// What was compressed as it was is the same again; and any bytes are expanded, or are not.
        private static func expanded(_ bytes: [UInt8]) throws {
            let body = Array(bytes.prefix(8_192))
            let count = [UInt8(body.count & 0xFF), UInt8(body.count >> 8)]
            let stored = [0x78, 1, 1] + count + count.map { ~$0 } + body
            try hold(expanded(stored, body.count) == body, "\(body.count) bytes are others")
            var steps = FuzzBytes(bytes)
            let room = steps.short()
            if let whole = expanded(Array(steps.rest), room) {
                try hold(expanded(Array(steps.rest), room) == whole, "it is another one the second time")
                if room > 0 {
                    try hold(expanded(Array(steps.rest), room - 1) == nil, "there was more than room for it")
                }
            }
        }

        private static func expanded(_ bytes: [UInt8], _ room: Int) -> [UInt8]? {
            // The room is as large as is said, so that Address Sanitizer sees what is written behind it.
            let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: max(room, 1))
            defer { memory.deallocate() }
            guard csymbols_inflate(bytes, bytes.count, memory, room) else { return nil }
            return Array(UnsafeBufferPointer(start: memory, count: room))
        }
    }
#endif
