internal import StoreEngine

/// A part of a date in a time zone.
///
/// It is a class, so that a word of a condition stays small.
final class ZonedDatePart: Hashable, Sendable {
    let part: DatePart
    let zone: DateZone

    init(_ part: DatePart, _ zone: DateZone) {
        self.part = part
        self.zone = zone
    }

    static func == (a: ZonedDatePart, b: ZonedDatePart) -> Bool { a.part == b.part && a.zone == b.zone }

    func hash(into hasher: inout Hasher) {
        hasher.combine(part)
        hasher.combine(zone)
    }
}
