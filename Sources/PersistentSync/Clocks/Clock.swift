// Clocks: the times of edits, in an order on which all devices agree. It knows numbers, and must not know objects.

/// The time of an edit: a hybrid logical clock, and the device that made the edit.
package struct Clock: Hashable, Comparable, Sendable {
    /// 48 bits of milliseconds since 1970, then 16 bits that count the edits of one millisecond.
    package let time: UInt64
    package let device: DeviceID

    /// The clock of a value that no device has written.
    package static let none = Clock(0, DeviceID(0))
    /// The latest time that devices accept: the start of the year 2100.
    package static let latest: UInt64 = 4_102_444_800_000 << 16

    package init(_ time: UInt64, _ device: DeviceID) {
        self.time = time
        self.device = device
    }

    /// The milliseconds since 1970.
    package var milliseconds: UInt64 { time >> 16 }

    /// The next clock of the same device.
    package var next: Clock { Clock(min(time + 1, Clock.latest), device) }

    package static func < (one: Clock, other: Clock) -> Bool {
        one.time != other.time ? one.time < other.time : one.device < other.device
    }
}
