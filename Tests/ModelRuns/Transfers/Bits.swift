import Foundation

// Values by their bits. Strings that are equal in Swift but have different scalars differ, and so do the two zeros.
extension ShapeValue {
    var bits: String {
        switch self {
        case let text as String: return "\(text.unicodeScalars.map { $0.value })"
        case let character as Character: return String(character).bits
        case let number as Double: return String(number.bitPattern, radix: 16)
        case let number as Float: return String(number.bitPattern, radix: 16)
        case let date as Date: return String(date.timeIntervalSinceReferenceDate.bitPattern, radix: 16)
        case let data as Data: return "\(Array(data))"
        case let compound as Compound: return "\(compound.n) \(compound.s.bits) \(compound.o?.bits ?? "nil")"
        case let celsius as Celsius: return celsius.degrees.bits
        default: return composedBits
        }
    }

    /// The bits of optionals and collections.
    private var composedBits: String {
        func list(_ parts: [Any]) -> [String] { parts.map { ($0 as? any ShapeValue)?.bits ?? "\($0)" } }
        let mirror = Mirror(reflecting: self)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.map { list([$0.value])[0] } ?? "nil"
        case .collection: return "\(list(mirror.children.map(\.value)))"
        case .set: return "\(list(mirror.children.map(\.value)).sorted())"
        case .dictionary:
            return
                "\(mirror.children.map { list(Mirror(reflecting: $0.value).children.map(\.value)).joined(separator: "=") }.sorted())"
        default: return "\(self)"
        }
    }
}
