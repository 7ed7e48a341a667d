package import Foundation

/// Dates in JSON: strings such as `2025-11-22T17:30:00.125Z` that restore exactly the same date.
///
/// A date that no such string represents exactly is written as seconds since 2001.
package enum ISODate {
    package static func json(_ date: Date) -> JSONValue {
        let seconds = date.timeIntervalSinceReferenceDate
        if let text = DateText.exact(seconds, "T") { return .text(text + "Z") }
        return seconds.isFinite ? .number("\(seconds)") : .text(JSONValue.infinity(isNegative: seconds < 0))
    }

    /// The seconds since the reference date; nil if the string is not a date. See `DateText`.
    package static func seconds(_ text: String, in zone: TimeZone? = nil) -> Double? {
        DateText.seconds(text, in: zone)
    }
}
