internal import Foundation
internal import StoreEngine

/// The key of a row of an existing table as a string, for ids that leave the session, because the row number of such a
/// row may change.
enum PrimaryKeyText {
    /// `["tALFKI"]`: a letter for the type, then the value.
    static func text(of values: [DatabaseValue]) -> String? {
        var parts: [String] = []
        for value in values {
            switch value {
            case .integer(let number): parts.append("i\(number)")
            case .real(let number): parts.append("r\(number.bitPattern)")
            case .text(let text): parts.append("t\(text)")
            case .blob(let bytes): parts.append("b\(Data(bytes).base64EncodedString())")
            case .null: return nil
            }
        }
        return (try? JSONEncoder().encode(parts)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The values in a string, as `find(_:primaryKey:)` takes them; nil if the string is not a key of the class.
    static func values(of text: String, in map: ClassMap) -> [Any?]? {
        guard let ordinals = map.foreign?.key, !ordinals.isEmpty,
            let parts = try? JSONDecoder().decode([String].self, from: Data(text.utf8)), parts.count == ordinals.count
        else { return nil }
        var values: [Any?] = []
        for part in parts {
            guard let value = value(of: part) else { return nil }
            values.append(value)
        }
        return values
    }

    private static func value(of part: String) -> DatabaseValue? {
        let rest = String(part.dropFirst())
        return switch part.first {
        case "i": Int64(rest).map { .integer($0) }
        case "r": UInt64(rest).map { .real(Double(bitPattern: $0)) }
        case "t": .text(rest)
        case "b": Data(base64Encoded: rest).map { .blob([UInt8]($0)) }
        default: nil
        }
    }
}

extension ObjectState {
    /// The object's primary key as stored in its row; nil if the class has no `primaryKey`, or if a part of the key
    /// refers to a row with a primary key, whose row number may change too.
    var primaryKeyText: String? {
        guard let map = object.identityMap?.classMap, let ordinals = map.foreign?.key, !ordinals.isEmpty,
            let block = object.baseline
        else { return nil }
        var values: [DatabaseValue] = []
        for ordinal in ordinals {
            let property = map.properties[ordinal]
            if case .reference = property.shape {
                guard property.linkedClass?.primaryKey.isEmpty == true else { return nil }
                values.append(.integer(map.baseline.referenceID(ordinal, in: block)))
            } else {
                values.append(map.baseline.storedValue(ordinal, in: block) ?? .null)
            }
        }
        return PrimaryKeyText.text(of: values)
    }
}
