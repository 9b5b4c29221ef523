// SPDX-License-Identifier: MIT
// Finds the types of a module by their names.

import CInject

/// The types that are declared at the top of a module.
enum FoundType {
    /// Proof: the search lives until all were visited; a name is a text in a file that is never unloaded.
    @unsafe
    private struct Search {
        let memory: OpaquePointer
        let visit: (_ name: String, _ declaration: UInt) -> Void
    }

    /// Calls with the name and the address of the descriptor of each struct, class and enum that the runtime knows now.
    static func each(of module: String, in memory: OpaquePointer, _ visit: (String, UInt) -> Void) {
        withoutActuallyEscaping(visit) { visit in
            var search = unsafe Search(memory: memory, visit: visit)
            unsafe withUnsafeMutablePointer(to: &search) { search in
                unsafe crerender_each_type(
                    memory, module,
                    { type, context in
                        guard let type = unsafe type,
                            let search = unsafe context?.assumingMemoryBound(to: Search.self)
                        else { return true }
                        let kind = unsafe crerender_kind_of(search.pointee.memory, type)
                        guard (CRERENDER_CLASS.rawValue...CRERENDER_ENUM.rawValue).contains(kind),
                            let name = unsafe crerender_name_of(search.pointee.memory, type)
                        else { return true }
                        unsafe search.pointee.visit(String(cString: name), UInt(bitPattern: type))
                        return true
                    }, search)
            }
        }
    }
}
