// SPDX-License-Identifier: MIT
// The tags that say which tests Scripts/test runs together. A test without one runs with all the others.

package import Testing

extension Tag {
    /// Runs alone, one test after the other: it measures time or memory, or needs the session daemon of root for itself.
    @Tag package static var alone: Tag
    /// Starts a tracer, a terminal or a browser of its own.
    @Tag package static var heavy: Tag
    /// Keeps the main actor busy, for which other tests would wait, or begins turns of the process, in which the evaluations
    /// of other tests would count.
    @Tag package static var mainActor: Tag
}
