/// Memory to which strings and blobs are copied while they are bound.
///
/// SQLite's own copy (SQLITE_TRANSIENT) costs an allocation for each value. A statement keeps one arena instead and
/// binds into it without a copy by SQLite; bound bytes stay valid as long as the statement, and the next round of
/// bindings overwrites them.
@usableFromInline
package struct TextArena: ~Copyable {
    @usableFromInline var start: UnsafeMutableRawPointer
    @usableFromInline var capacity: Int
    @usableFromInline var used = 0
    /// The memory that the last round of bindings needed.
    @usableFromInline var wanted = 0

    @usableFromInline static var largest: Int { 1 << 17 }

    @usableFromInline
    init() {
        capacity = 128
        start = .allocate(byteCount: capacity, alignment: 1)
    }

    deinit { start.deallocate() }

    /// Space for `count` bytes, or nil if SQLite must make its own copy.
    @inlinable
    mutating func room(for count: Int) -> UnsafeMutableRawPointer? {
        wanted &+= count
        guard count <= capacity &- used else { return nil }
        defer { used &+= count }
        return start + used
    }

    /// Starts a new round of bindings; nothing bound before may be used again.
    @inlinable
    mutating func reset() {
        if wanted > capacity && capacity < TextArena.largest { grow() }
        used = 0
        wanted = 0
    }

    @usableFromInline
    mutating func grow() {
        while capacity < wanted && capacity < TextArena.largest { capacity *= 2 }
        start.deallocate()
        start = .allocate(byteCount: capacity, alignment: 1)
    }
}
