internal import CSQLite
internal import StoreEngine

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The address of a value in an object, in a baseline, or in a copy of either.
///
/// Other folders handle memory only by addresses: they pass them on, add offsets to them, and read values through them.
/// The caller knows that exactly such a value is stored there (R2), because a codec or a layout determined it, and that
/// the memory is alive (R5).
struct Address: Hashable, BitwiseCopyable {
    let pointer: UnsafeMutableRawPointer

    @inline(__always)
    init(_ pointer: UnsafeMutableRawPointer) { self.pointer = pointer }

    @inline(__always)
    static func + (address: Address, offset: Int) -> Address { Address(address.pointer + offset) }

    /// The value at the address, which is of exactly this type.
    subscript<T>(as type: T.Type) -> T {
        @inline(__always) unsafeAddress { UnsafePointer(pointer.assumingMemoryBound(to: T.self)) }
        @inline(__always) nonmutating unsafeMutableAddress { pointer.assumingMemoryBound(to: T.self) }
    }

    /// Initializes fresh memory with a value.
    @inline(__always)
    func initialize<T>(as type: T.Type, to value: consuming T) {
        pointer.initializeMemory(as: type, to: value)
    }

    /// Destroys the value at the address and leaves fresh memory.
    @inline(__always)
    func destroy<T>(as type: T.Type) { pointer.assumingMemoryBound(to: type).deinitialize(count: 1) }

    /// Moves the value out and leaves fresh memory.
    @inline(__always)
    func move<T>(as type: T.Type) -> T { pointer.assumingMemoryBound(to: type).move() }

    /// The bits at the address as plain data, regardless of their type.
    @inline(__always)
    func load<T: BitwiseCopyable>(as type: T.Type) -> T { pointer.loadUnaligned(as: type) }

    /// Stores plain data at the address.
    @inline(__always)
    func storeBytes<T: BitwiseCopyable>(of value: T, as type: T.Type) { pointer.storeBytes(of: value, as: type) }

    /// Whether this many bytes are equal at both addresses.
    @inline(__always)
    func hasSameBytes(as other: Address, count: Int) -> Bool {
        memcmp(pointer, other.pointer, count) == 0
    }

    /// Does the same without a call, for mostly small counts.
    @inline(__always)
    func hasSameWords(as other: Address, count: Int) -> Bool {
        po_has_same_bytes(pointer, other.pointer, count)
    }

    /// Copies bytes of plain data to the address.
    @inline(__always)
    func copyMemory(from other: Address, byteCount: Int) {
        pointer.copyMemory(from: other.pointer, byteCount: byteCount)
    }

    /// Prefetches the memory at the address.
    @inline(__always)
    func prefetch() { po_prefetch(pointer) }

    /// Allocates fresh memory, which the caller frees with `deallocate()`.
    static func allocate(byteCount: Int, alignment: Int = 16) -> Address {
        Address(.allocate(byteCount: max(byteCount, 1), alignment: max(alignment, 1)))
    }

    func deallocate() { pointer.deallocate() }

    /// Calls `body` with the address of a variable.
    @inline(__always)
    static func with<T, R>(_ value: inout T, _ body: (Address) throws -> R) rethrows -> R {
        try withUnsafeMutablePointer(to: &value) { try body(Address(UnsafeMutableRawPointer($0))) }
    }

    /// The value that `make` initializes in fresh memory, which is of exactly this type.
    @inline(__always)
    static func value<T>(
        as type: T.Type, _ make: (Address) throws(ValueFault) -> Void
    ) throws(ValueFault) -> T {
        // Only the caller knows its size, so it is on the stack if the compiler sees the type.
        let result = withUnsafeTemporaryAllocation(of: type, capacity: 1) { buffer -> Result<T, ValueFault> in
            // Never nil: the capacity is one.
            let memory = buffer.baseAddress.unsafelyUnwrapped
            do throws(ValueFault) { try make(Address(memory)) } catch { return .failure(error) }
            return .success(memory.move())
        }
        return try result.get()
    }

    /// Calls `body` with the address of the first of some contiguous elements; nil if there are none.
    static func with<T, R>(_ elements: [T], _ body: (Address?) throws -> R) rethrows -> R {
        try elements.withUnsafeBufferPointer { buffer in
            try body(buffer.baseAddress.map { Address(UnsafeMutableRawPointer(mutating: $0)) })
        }
    }
}

// Addresses of objects.
extension Address {
    /// The header of the object at the address.
    ///
    /// It is accessed by address, not through the object: the compiler cannot prove that these fields are not being
    /// accessed elsewhere, and would check exclusivity at run time each time (5 ns). Only the library accesses them.
    var header: ObjectHeader {
        @inline(__always) unsafeAddress { UnsafePointer(ObjectMemory.header(at: self)) }
        @inline(__always) nonmutating unsafeMutableAddress { ObjectMemory.header(at: self) }
    }

    /// The object at the address with a +1 reference that the receiver consumes (`ObjectMemory.takeRetained`); nil if
    /// it is being deinitialized.
    @inline(__always)
    func retained() -> Address? { po_try_retain(pointer).map { Address($0) } }
}
