package import Foundation

/// Dates as JSON has them: texts, `2025-11-22T17:30:00.125Z`, that come back with the same bits.
///
/// A date that has no such text is written as the number of its seconds since 2001.
package enum ISODate {
    package static func json(_ date: Date) -> JSONValue {
        let seconds = date.timeIntervalSinceReferenceDate
        if let text = DateText.exact(seconds, "T") { return .text(text + "Z") }
        return seconds.isFinite ? .number("\(seconds)") : .text(JSONValue.infinity(isNegative: seconds < 0))
    }

    /// Seconds since the reference date; nil where the text is no date. See `DateText`.
    package static func seconds(_ text: String, in zone: TimeZone? = nil) -> Double? {
        DateText.seconds(text, in: zone)
    }
}
