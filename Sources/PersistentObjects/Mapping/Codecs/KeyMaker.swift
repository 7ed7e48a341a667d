internal import Foundation

/// Makes UUIDs of version 7 (RFC 9562): 48 bits of milliseconds since 1970, then 12 bits that count within one
/// millisecond and begin at random, then 62 random bits.
///
/// Each is greater than the one before it, also where the clock was set back
/// or more than 4,000 are made in a millisecond: the count then runs over into
/// the time.
struct KeyMaker {
    /// Time and count of the last one.
    private var last: UInt64 = 0

    /// The next key of this process.
    static func next() -> UUID {
        let milliseconds = Date().timeIntervalSince1970 * 1000
        // Before 1970 and behind the year 10889 there are no times of 48 bits.
        let time = UInt64(min(max(milliseconds, 0), 0xFFFF_FFFF_FFFF))
        var random = SystemRandomNumberGenerator()
        let (start, rest) = (random.next() as UInt64, random.next() as UInt64)
        return shared.withLock { $0.next(at: time, start: start, rest: rest) }
    }

    private static let shared = Locked(KeyMaker())

    /// The next key.
    ///
    /// - Parameters:
    ///   - milliseconds: The time, since 1970.
    ///   - start: Random bits, of which the count begins with some where the millisecond is a new one.
    ///   - rest: The random bits behind the count.
    mutating func next(at milliseconds: UInt64, start: UInt64, rest: UInt64) -> UUID {
        // The highest bit of a count begins as 0, so that there is room for 2,048 more at least.
        let now = (milliseconds & 0xFFFF_FFFF_FFFF) << 12 | start & 0x7FF
        last = Swift.max(now, last &+ 1)
        let high = (last >> 12) << 16 | 0x7000 | last & 0xFFF
        return UUID(high: high, low: 1 << 63 | rest >> 2)
    }
}
