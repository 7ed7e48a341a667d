internal import Foundation
@_spi(Locks) internal import StoreEngine

/// Generates UUIDs of version 7 (RFC 9562): 48 bits of milliseconds since 1970, then a 12-bit counter within one
/// millisecond with a random start, then 62 random bits.
///
/// Each UUID is greater than the previous UUID, even if the clock was set back. If more than 4,000 are generated in a
/// millisecond, the counter overflows into the time.
struct KeyMaker {
    /// Time and counter of the last key.
    private var last: UInt64 = 0

    /// The next key of this process.
    static func next() -> UUID {
        let milliseconds = Date().timeIntervalSince1970 * 1000
        // Times before 1970 and after the year 10889 do not fit in 48 bits.
        let time = UInt64(min(max(milliseconds, 0), 0xFFFF_FFFF_FFFF))
        var random = SystemRandomNumberGenerator()
        let (start, rest) = (random.next() as UInt64, random.next() as UInt64)
        return shared.withLock { $0.next(at: time, start: start, rest: rest) }
    }

    private static let shared = Locked(KeyMaker())

    /// The next key.
    ///
    /// - Parameters:
    ///   - milliseconds: The time since 1970.
    ///   - start: Random bits, some of which are the counter's start in a new millisecond.
    ///   - rest: The random bits after the counter.
    mutating func next(at milliseconds: UInt64, start: UInt64, rest: UInt64) -> UUID {
        // The highest bit of a counter starts as 0, so that at least 2,048 more keys fit.
        let now = (milliseconds & 0xFFFF_FFFF_FFFF) << 12 | start & 0x7FF
        last = Swift.max(now, last &+ 1)
        let high = (last >> 12) << 16 | 0x7000 | last & 0xFFF
        return UUID(high: high, low: 1 << 63 | rest >> 2)
    }
}
