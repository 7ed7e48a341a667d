import Foundation

/// Calls `body` at least 4 ms before and after any other write.
///
/// History entries have a time in milliseconds, and no event signals that a millisecond has passed. This delay
/// guarantees that writes before and after the call have different times.
func apart<R>(_ body: () throws -> R) rethrows -> R {
    usleep(4_000)
    defer { usleep(4_000) }
    return try body()
}
