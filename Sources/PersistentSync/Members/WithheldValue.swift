package import Foundation

/// A value that is not sent, because its object would be too large with it.
package struct WithheldValue: Codable, Hashable, Sendable {
    /// The wire name of the class.
    package let type: Data
    /// The key of the object: a string, or else 16 bytes.
    package let text: Data?
    package let number: Data?
    /// The name of the property; nil for the whole object.
    package let property: Data?
    /// The number of bytes.
    package let size: Int
    /// The last number of the first batch without the value.
    package let last: Int64
    /// Whether the object was deleted, so that only its return would need the value.
    package let isDeleted: Bool

    package init(_ key: ObjectKey, _ property: Text?, size: Int, last: Int64, isDeleted: Bool) {
        type = Data(key.type.utf8)
        switch key.key {
        case .text(let text): (self.text, number) = (Data(text.utf8), nil)
        case .number(let high, let low): (text, number) = (nil, HexName.text(UInt128(high, low)).data(using: .utf8))
        }
        self.property = property.map { Data($0.utf8) }
        (self.size, self.last, self.isDeleted) = (size, last, isDeleted)
    }

    package var key: ObjectKey {
        let uuid = number.flatMap { HexName.number(String(decoding: $0, as: UTF8.self)) }
        return ObjectKey(
            Text(utf8: Array(type)), uuid.map { .uuid($0) } ?? .text(Text(utf8: Array(text ?? Data()))))
    }

    package var name: Text? { property.map { Text(utf8: Array($0)) } }
}
