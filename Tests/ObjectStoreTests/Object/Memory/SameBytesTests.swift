import TestSupport
import Testing

@testable import PersistentObjects

/// Inline comparison of objects with their baselines, a few bytes at a time.
struct SameBytesTests {
    @Test(arguments: 0..<100) func `the comparison covers exactly the given number of bytes`(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        // Neither address is aligned, and the surrounding bytes differ.
        let one = Address.allocate(byteCount: count + 5), other = Address.allocate(byteCount: count + 5)
        defer {
            one.deallocate()
            other.deallocate()
        }
        for place in 0..<count + 5 {
            one.storeByte(1, at: place)
            other.storeByte(2, at: place)
        }
        for place in 0..<count {
            let byte = UInt8.random(in: 0...255, using: &random)
            one.storeByte(byte, at: place + 1)
            other.storeByte(byte, at: place + 3)
        }
        #expect((one + 1).hasSameWords(as: other + 3, count: count))
        for place in 0..<count {
            let byte = (one + (place + 1)).load(as: UInt8.self)
            one.storeByte(byte ^ 1 << UInt8(place % 8), at: place + 1)
            #expect(!(one + 1).hasSameWords(as: other + 3, count: count), "byte \(place) of \(count)")
            one.storeByte(byte, at: place + 1)
        }
    }
}

extension Address {
    fileprivate func storeByte(_ byte: UInt8, at place: Int) { (self + place).storeBytes(of: byte, as: UInt8.self) }
}
