// SPDX-License-Identifier: MIT
// The numbers that a test of a bound tries.

/// One below a bound, the bound, one above it, and twice as many.
package func around(_ bound: Int) -> [Int] { [bound - 1, bound, bound + 1, 2 * bound] }
