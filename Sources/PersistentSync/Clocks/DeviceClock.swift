/// The clock of one device. It never runs backwards, and it follows the clocks of other devices if they are near.
package struct DeviceClock: Hashable, Sendable {
    /// How far ahead of the device's own time a clock may be that the device's clock follows, in milliseconds.
    package static let followed: UInt64 = 5 * 60 * 1000
    /// How far ahead of the device's own time a clock may be that is accepted now, in milliseconds.
    package static let accepted: UInt64 = 24 * 60 * 60 * 1000

    package private(set) var last: UInt64 = 0

    package init(last: UInt64 = 0) { self.last = last }

    /// The clock of a new edit at a time, in milliseconds since 1970: later than the clock of what it overwrites.
    ///
    /// It does not exceed the latest accepted time, because all devices would reject it.
    package mutating func next(at now: UInt64, after seen: Clock, by device: DeviceID) -> Clock {
        last = min(max(last + 1, min(now, Clock.latest >> 16) << 16), Clock.latest)
        return Clock(max(last, min(seen.time, Clock.latest - 1) + 1), device)
    }

    /// Follows a clock of another device, unless it is more than five minutes ahead.
    package mutating func follow(_ clock: Clock, at now: UInt64) {
        if clock.milliseconds <= now + DeviceClock.followed { last = max(last, min(clock.time, Clock.latest)) }
    }

    /// Whether a device takes a clock only later, because it is more than a day ahead.
    package static func isEarly(for clock: Clock, at now: UInt64) -> Bool { clock.milliseconds > now + accepted }
}
