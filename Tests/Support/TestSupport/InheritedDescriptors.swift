// SPDX-License-Identifier: MIT
// What a child that is started with `posix_spawn` does not inherit.

package import Glibc

package enum InheritedDescriptors {
    private typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt) -> CInt

    /// `posix_spawn_file_actions_addclosefrom_np`, which Glibc's module does not have.
    private static let closeFrom: CloseFrom? = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
        unsafeBitCast($0, to: CloseFrom.self)
    }

    /// Has a child close all but its input and output, before it begins.
    ///
    /// `Foundation.Process` tells the end of a child by a socket. A child of another test that inherited its other end would hide that
    /// end until it ends itself.
    package static func closeAll(_ actions: inout posix_spawn_file_actions_t) throws {
        guard closeFrom?(&actions, 3) == 0 else { throw ChildProcess.Failure("a child would inherit descriptors") }
    }
}
