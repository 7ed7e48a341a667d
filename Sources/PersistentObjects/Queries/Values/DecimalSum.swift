internal import Foundation

/// Adds decimal numbers.
enum DecimalSum {
    /// The exact sum; nil if it has more digits than a `Decimal` can hold.
    static func exact(_ a: Decimal, _ b: Decimal) -> Decimal? {
        var (a, b, sum) = (a, b, Decimal())
        return NSDecimalAdd(&sum, &a, &b, .plain) == .noError ? sum : nil
    }
}
