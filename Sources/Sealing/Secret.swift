#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A secret of 32 bytes in memory that is not swapped to disk, if the system allows it, and that is overwritten at the
/// end.
package final class Secret: @unchecked Sendable {  // never changed after the initializer
    private let memory: UnsafeMutableRawPointer

    /// Copies the bytes.
    init(_ bytes: some Collection<UInt8>) {
        precondition(bytes.count == Sealing.keySize)
        memory = .allocate(byteCount: Sealing.keySize, alignment: 16)
        Sealing.lockMemory(memory, Sealing.keySize)
        for (index, byte) in bytes.enumerated() { memory.storeBytes(of: byte, toByteOffset: index, as: UInt8.self) }
    }

    deinit {
        Sealing.unlockMemory(memory, Sealing.keySize)
        memory.deallocate()
    }

    /// A copy of the bytes.
    package var bytes: [UInt8] {
        Array(UnsafeRawBufferPointer(start: memory, count: Sealing.keySize))
    }

    func copy(to target: UnsafeMutablePointer<UInt8>) {
        UnsafeMutableRawPointer(target).copyMemory(from: memory, byteCount: Sealing.keySize)
    }
}
