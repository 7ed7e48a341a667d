internal import Foundation
internal import StoreEngine

// Plain values as bytes.
extension UUID {
    /// The 16 bytes in the order of the string form.
    var bytes: [UInt8] { withUnsafeBytes(of: uuid) { [UInt8]($0) } }

    init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.init(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }

    /// Creates a UUID from the 16 bytes of a column; nil for any other number of bytes.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else { return nil }
        self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }

    /// The lowercase string with hyphens; `uuidString` is uppercase.
    var canonicalText: String {
        withUnsafeBytes(of: uuid) { bytes in
            String(unsafeUninitializedCapacity: 36) { text in
                var place = 0
                for (index, byte) in bytes.enumerated() {
                    if index == 4 || index == 6 || index == 8 || index == 10 {
                        text[place] = UInt8(ascii: "-")
                        place += 1
                    }
                    text[place] = UUID.digit(byte >> 4)
                    text[place + 1] = UUID.digit(byte & 15)
                    place += 2
                }
                return place
            }
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// Creates a UUID from its two halves; the first bytes are the most significant of `high`.
    init(high: UInt64, low: UInt64) {
        let halves = (high.bigEndian, low.bigEndian)
        self.init(uuid: withUnsafeBytes(of: halves) { $0.load(as: uuid_t.self) })
    }

    /// Binds the 16 bytes.
    func bindBytes(to statement: Statement, at index: Int32) throws(ValueFault) {
        // The closure of `withUnsafeBytes` cannot throw a typed error.
        let fault = withUnsafeBytes(of: uuid) { bytes -> ValueFault? in
            do throws(ValueFault) {
                try statement.bind(blob: bytes, at: index)
                return nil
            } catch {
                return error
            }
        }
        if let fault { throw fault }
    }
}

extension UInt64 {
    /// The eight bytes, least significant first.
    var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { [UInt8]($0) } }
}

extension Statement {
    func bind(bytes: some ContiguousBytes, at index: Int32) throws(ValueFault) {
        // The closure of `withUnsafeBytes` cannot throw a typed error.
        let fault = bytes.withUnsafeBytes { buffer -> ValueFault? in
            do throws(ValueFault) {
                try bind(blob: buffer, at: index)
                return nil
            } catch {
                return error
            }
        }
        if let fault { throw fault }
    }
}
