// SPDX-License-Identifier: MIT
// Functions, files and lines of addresses, from the toolchain's own symboliser; inlined functions included.

#if RERENDER_PROBES
    @_spi(Internal) internal import Runtime
#endif

/// A function at an address. One address has several where functions were inlined, innermost first.
struct SymbolicFrame: Sendable {
    /// As the linker knows it.
    let mangled: String
    /// As a reader knows it: `Ticker.advance()`.
    let name: String
    /// The file's path; nil without debug information.
    let path: String?
    /// nil where the compiler attributed the code to no line.
    let line: Int?
}

#if RERENDER_PROBES
    /// Answers from the files that are loaded; one thread at a time has it.
    ///
    /// It reads the files' symbols and debug information in this process: no other process, no handler, no output.
    struct Symbolicator: ~Copyable {
        private var images: ImageMap?
        private var unloads: UInt64 = 0

        /// The functions that hold the instruction before this return address; empty where nothing is known. 0.05–2 ms, in
        /// a program of 77 MB 23 ms; the first of a file reads its debug information and keeps about as much as its size.
        mutating func frames(before address: UInt) -> [SymbolicFrame] {
            guard let file = LoadedFile(containing: address - 1) else { return [] }
            // The symboliser takes the nearest symbol that it finds; in a stripped file that is another function's.
            guard SymbolTable.symbolName(at: address - 1) != nil else { return [] }
            prepareImages(for: address, unloads: file.unloads)
            let found = symbolicated([.returnAddress(address)])
            return found.map { frame in
                // The beginning of an in-place change has no line of its own: the code after it, which changes, has.
                frame.line == nil && frame.path != nil ? withLine(frame, after: address) : frame
            }
        }

        private mutating func prepareImages(for address: UInt, unloads: UInt64) {
            let isKnown = images?.indexOfImage(at: Backtrace.Address(UInt64(address))) != nil
            if isKnown, unloads == self.unloads { return }
            images = ImageMap.capture()
            self.unloads = unloads
        }

        private func symbolicated(_ addresses: [RichFrame<UInt>]) -> [SymbolicFrame] {
            #if arch(x86_64)
                let architecture = "x86_64"
            #else
                let architecture = "arm64"
            #endif
            let stack = Backtrace(architecture: architecture, frames: addresses, images: images)
            return stack.symbolicated(with: images)?.frames.compactMap { frame in
                guard let symbol = frame.symbol, !symbol.rawName.isEmpty else { return nil }
                let location = symbol.sourceLocation
                return SymbolicFrame(
                    mangled: symbol.rawName, name: symbol.name, path: location?.path,
                    line: location.flatMap { $0.line > 0 ? $0.line : nil })
            } ?? []
        }

        /// The line of the next code of the same function that has one.
        private func withLine(_ frame: SymbolicFrame, after address: UInt) -> SymbolicFrame {
            // Few steps, because each looks through the file's lines: 23 ms in a program of 77 MB.
            for offset in stride(from: UInt(0), to: UInt(StoreLimits.bytesToLine), by: 4) {
                let following = symbolicated([.programCounter(address + offset)])
                guard let same = following.first(where: { $0.mangled == frame.mangled }) else { return frame }
                if same.line != nil { return same }
            }
            // Without a line the path is that of the unit's first file, and not this code's.
            return SymbolicFrame(mangled: frame.mangled, name: frame.name, path: nil, line: nil)
        }
    }
#else
    /// Where probes are compiled out nothing is asked, and the app does not load the symboliser.
    struct Symbolicator: ~Copyable {
        mutating func frames(before address: UInt) -> [SymbolicFrame] { [] }
    }
#endif
