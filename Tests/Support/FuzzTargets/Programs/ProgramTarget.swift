// SPDX-License-Identifier: MIT
// The file of a program that a user has started, before anything is injected.

#if DEBUG || RERENDER_FUZZ
    import FuzzWire
    @testable import RerenderTool

    extension FuzzTarget {
        static let program = FuzzTarget("program", longest: 4_096) { bytes in
            var asked = 0, reads = 0
            let image = ProgramImage { offset, count in
                asked += count
                reads += 1
                guard let start = Int(exactly: offset), start < bytes.count else { return [] }
                return Array(bytes[start..<min(bytes.count, start + count)])
            }
            // Of each table no more than its limit, and a name of each library that is asked for.
            let libraries = ELFReader.longestDynamic / 16
            let most = ELFReader.headerBytes + 56 * ELFReader.mostProgramHeaders + ELFReader.longestDynamic
            let tables = 64 * ELFReader.mostSections + ELFReader.longestNames + 4_096 * ELFReader.mostProgramHeaders
            try hold(asked <= most + tables + 24 * libraries, "\(asked) bytes are read")
            try hold(reads <= 8 + libraries + ELFReader.mostProgramHeaders, "\(reads) reads")
            guard case .program(let found) = image else { return }
            try hold((found.buildID?.utf8.count ?? 0) <= 128, "a mark of \(found.buildID ?? "")")
        }
    }
#endif
