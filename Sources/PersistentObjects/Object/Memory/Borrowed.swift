internal import CSQLite

/// An unretained reference.
///
/// The code that creates it guarantees that the object is retained for as long as the reference is used, or calls
/// `ifAlive()`. It costs nothing, while reference counting is half of the work of a hot path.
struct Borrowed<T: AnyObject>: Equatable, @unchecked Sendable {  // an address
    private let reference: Unmanaged<T>

    @inline(__always)
    init(_ object: T) { reference = Unmanaged.passUnretained(object) }

    private init(_ reference: Unmanaged<T>) { self.reference = reference }

    @inline(__always)
    static func == (a: Borrowed, b: Borrowed) -> Bool { a.reference.toOpaque() == b.reference.toOpaque() }

    /// The object, which is retained elsewhere.
    @inline(__always)
    var object: T { reference.takeUnretainedValue() }

    /// The address of the object.
    @inline(__always)
    var address: Address { Address(reference.toOpaque()) }

    /// Calls `body` with the object, which is retained elsewhere, without reference counting.
    @_transparent
    func with<R>(_ body: (T) throws -> R) rethrows -> R { try reference._withUnsafeGuaranteedRef(body) }

    /// The object, unless it is being deinitialized on another thread: its memory must still exist.
    func ifAlive() -> T? { po_try_retain(reference.toOpaque()) == nil ? nil : reference.takeRetainedValue() }

    /// The same reference as a superclass or subclass that the object has.
    @inline(__always)
    func cast<U: AnyObject>(to type: U.Type) -> Borrowed<U> {
        Borrowed<U>(Unmanaged<U>.fromOpaque(reference.toOpaque()))
    }

    /// Retains it once, until `release()`.
    @inline(__always)
    func retain() { _ = reference.retain() }

    @inline(__always)
    func release() { reference.release() }
}
