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
        case .numeric: PostgresNumeric.encoded(text) ?? PostgresNumeric.special(text)
        case .bytea: text.hasPrefix("\\x") ? Hexadecimal.bytes(text.utf8.dropFirst(2)) : nil
        default: nil
        }
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
