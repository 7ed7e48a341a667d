internal import Foundation
internal import StoreEngine

// Plain values as bytes.
extension UUID {
    /// The 16 bytes, in the order in which the text has them.
    var bytes: [UInt8] { withUnsafeBytes(of: uuid) { [UInt8]($0) } }

    init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.init(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }
}

extension UInt64 {
    /// The eight bytes, the lowest first.
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
