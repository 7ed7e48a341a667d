import TestSupport
import Testing

@testable import StoreEngine

/// The checks of bytes that precede the fast paths for ASCII.
@Suite struct ASCIITests {
    @Test func `each byte is found at each place`() {
        for count in 0...20 {
            for place in 0..<count {
                for byte in UInt8.min...UInt8.max {
                    // A space is the lowest permitted byte, and a borrow of its neighbor must not matter.
                    for filler: UInt8 in [0x20, 0x7F] {
                        var bytes = Array(repeating: filler, count: count)
                        bytes[place] = byte
                        bytes.withUnsafeBytes {
                            expect(ASCII.isASCII($0), byte < 0x80, "\(byte) at \(place) of \(count)")
                            expect(
                                ASCII.isWithoutControls($0), (0x20..<0x80).contains(byte),
                                "\(byte) at \(place) of \(count)")
                        }
                    }
                }
            }
        }
    }
}
