internal import Foundation

/// Adds decimal numbers.
enum DecimalSum {
    /// The sum with all its digits; nil where a `Decimal` has no room for them.
    static func exact(_ a: Decimal, _ b: Decimal) -> Decimal? {
        var (a, b, sum) = (a, b, Decimal())
        return NSDecimalAdd(&sum, &a, &b, .plain) == .noError ? sum : nil
    }
}
