internal import Foundation
internal import StoreEngine

/// Values in the server's text form.
enum PostgresTextForm {
    /// The binary form of a value; nil for another type, or for a value that has no binary form here.
    static func binary(of text: String, _ type: PostgresType) -> [UInt8]? {
        switch type {
        case .int8: Int64(text).map(bytes)
        case .int4: Int32(text).map(bytes)
        case .int2: Int16(text).map(bytes)
        case .float8: Double(text).map { bytes($0.bitPattern) }
        case .float4: Float(text).map { bytes($0.bitPattern) }
        case .bool: [text == "t" ? 1 : 0]
        case .uuid: UUID(uuidString: text).map { withUnsafeBytes(of: $0.uuid) { Array($0) } }
        case .numeric: PostgresNumeric.encoded(text)
        case .bytea: blob(text)
        default: nil
        }
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    /// The bytes of a string such as `\\x00ff`.
    private static func blob(_ text: String) -> [UInt8]? {
        guard text.hasPrefix("\\x") else { return nil }
        let digits = text.utf8.dropFirst(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }
}
