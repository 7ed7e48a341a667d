internal import StoreEngine

/// A part of a date, and the time zone that it is one in.
///
/// An object, so that the words of conditions stay as small as they are without it.
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
