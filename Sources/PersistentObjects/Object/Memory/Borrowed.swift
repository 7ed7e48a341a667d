internal import CSQLite

/// A reference that does not count.
///
/// Whoever makes one sees to it that somebody keeps the object for as long as
/// it is used, or asks `ifAlive()`. It costs nothing, where counting is half of
/// what a hot path does.
struct Borrowed<T: AnyObject>: Equatable, @unchecked Sendable {  // an address
    private let reference: Unmanaged<T>

    @inline(__always)
    init(_ object: T) { reference = Unmanaged.passUnretained(object) }

    private init(_ reference: Unmanaged<T>) { self.reference = reference }

    @inline(__always)
    static func == (a: Borrowed, b: Borrowed) -> Bool { a.reference.toOpaque() == b.reference.toOpaque() }

    /// The object, which somebody keeps.
    @inline(__always)
    var object: T { reference.takeUnretainedValue() }

    /// Where the object is.
    @inline(__always)
    var address: Address { Address(reference.toOpaque()) }

    /// Calls `body` with the object, which somebody keeps; nothing is counted.
    @_transparent
    func with<R>(_ body: (T) throws -> R) rethrows -> R { try reference._withUnsafeGuaranteedRef(body) }

    /// The object, unless it is ending on another thread at this moment: its memory must be there still.
    func ifAlive() -> T? { po_try_retain(reference.toOpaque()) == nil ? nil : reference.takeRetainedValue() }

    /// The same as a reference of a superclass or a subclass, which the object is of.
    @inline(__always)
    func cast<U: AnyObject>(to type: U.Type) -> Borrowed<U> {
        Borrowed<U>(Unmanaged<U>.fromOpaque(reference.toOpaque()))
    }

    /// Counts it once, until `release()`.
    @inline(__always)
    func retain() { _ = reference.retain() }

    @inline(__always)
    func release() { reference.release() }
}
