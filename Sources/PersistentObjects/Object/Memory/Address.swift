internal import CSQLite
internal import StoreEngine

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Where a value is: in an object, in a baseline, in a copy of either.
///
/// The handle by which memory leaves this folder: other rooms pass it on, count
/// offsets from it, and ask it for values. Whoever does so knows that exactly
/// such a value is there (R2), since a codec or a layout said so, and that the
/// memory is alive (R5).
struct Address: Hashable, BitwiseCopyable {
    let pointer: UnsafeMutableRawPointer

    @inline(__always)
    init(_ pointer: UnsafeMutableRawPointer) { self.pointer = pointer }

    @inline(__always)
    static func + (address: Address, offset: Int) -> Address { Address(address.pointer + offset) }

    /// The value there, which is of exactly this type.
    subscript<T>(as type: T.Type) -> T {
        @inline(__always) unsafeAddress { UnsafePointer(pointer.assumingMemoryBound(to: T.self)) }
        @inline(__always) nonmutating unsafeMutableAddress { pointer.assumingMemoryBound(to: T.self) }
    }

    /// Makes a value in fresh memory.
    @inline(__always)
    func initialize<T>(as type: T.Type, to value: consuming T) {
        pointer.initializeMemory(as: type, to: value)
    }

    /// Ends the value there, and leaves fresh memory.
    @inline(__always)
    func destroy<T>(as type: T.Type) { pointer.assumingMemoryBound(to: type).deinitialize(count: 1) }

    /// Takes the value, and leaves fresh memory.
    @inline(__always)
    func move<T>(as type: T.Type) -> T { pointer.assumingMemoryBound(to: type).move() }

    /// The bits there as plain data, whatever they are the bits of.
    @inline(__always)
    func load<T: BitwiseCopyable>(as type: T.Type) -> T { pointer.loadUnaligned(as: type) }

    /// Puts plain data there.
    @inline(__always)
    func storeBytes<T: BitwiseCopyable>(of value: T, as type: T.Type) { pointer.storeBytes(of: value, as: type) }

    /// Whether as many bytes are the same at both places.
    @inline(__always)
    func hasSameBytes(as other: Address, count: Int) -> Bool {
        memcmp(pointer, other.pointer, count) == 0
    }

    /// The same where there are few of them mostly, without a call.
    @inline(__always)
    func hasSameWords(as other: Address, count: Int) -> Bool {
        po_has_same_bytes(pointer, other.pointer, count)
    }

    /// Copies bytes of plain data here.
    @inline(__always)
    func copyMemory(from other: Address, byteCount: Int) {
        pointer.copyMemory(from: other.pointer, byteCount: byteCount)
    }

    /// Asks for the memory here ahead of a look at it.
    @inline(__always)
    func prefetch() { po_prefetch(pointer) }

    /// Fresh memory; whoever asks gives it back by `deallocate()`.
    static func allocate(byteCount: Int, alignment: Int = 16) -> Address {
        Address(.allocate(byteCount: max(byteCount, 1), alignment: max(alignment, 1)))
    }

    func deallocate() { pointer.deallocate() }

    /// Calls `body` with the address of a variable.
    @inline(__always)
    static func with<T, R>(_ value: inout T, _ body: (Address) throws -> R) rethrows -> R {
        try withUnsafeMutablePointer(to: &value) { try body(Address(UnsafeMutableRawPointer($0))) }
    }

    /// The value that `make` makes in fresh memory, which is of exactly this type.
    @inline(__always)
    static func value<T>(
        as type: T.Type, _ make: (Address) throws(ValueFault) -> Void
    ) throws(ValueFault) -> T {
        // Its size is known to the caller only, so it is on the stack where the compiler sees the type.
        let result = withUnsafeTemporaryAllocation(of: type, capacity: 1) { buffer -> Result<T, ValueFault> in
            // Never nil: there is room for one.
            let memory = buffer.baseAddress.unsafelyUnwrapped
            do throws(ValueFault) { try make(Address(memory)) } catch { return .failure(error) }
            return .success(memory.move())
        }
        return try result.get()
    }

    /// Calls `body` with the address of the first of some elements, which stand beside one another; nil where there are
    /// none.
    static func with<T, R>(_ elements: [T], _ body: (Address?) throws -> R) rethrows -> R {
        try elements.withUnsafeBufferPointer { buffer in
            try body(buffer.baseAddress.map { Address(UnsafeMutableRawPointer(mutating: $0)) })
        }
    }
}

// Addresses of objects.
extension Address {
    /// The header of the object there.
    ///
    /// By address, not through the object: the compiler cannot know that
    /// nobody else is in the middle of an access to these fields, and would ask
    /// the run time each time (5 ns). Only the library accesses them.
    var header: ObjectHeader {
        @inline(__always) unsafeAddress { UnsafePointer(ObjectMemory.header(at: self)) }
        @inline(__always) nonmutating unsafeMutableAddress { ObjectMemory.header(at: self) }
    }

    /// The object there with a reference that the receiver takes over (`ObjectMemory.takeRetained`); nil where it is
    /// ending.
    @inline(__always)
    func retained() -> Address? { po_try_retain(pointer).map { Address($0) } }
}
