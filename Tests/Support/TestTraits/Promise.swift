// SPDX-License-Identifier: MIT
// Says of a test that it stands in the tables of docs/reference/promises.md.

package import Testing

/// Marks the test of a row; the test runs as without it. `PromiseTests` compares these tests with the rows.
package struct Promise: TestTrait {}

extension Trait where Self == Promise {
    package static var promise: Promise { Promise() }
}
