internal import Foundation
internal import PersistentObjects
internal import StoreEngine

/// Encrypted bytes in JSON: Base64, and null for nil, which is not encrypted.
enum SealedJSON {
    static func json(of stored: DatabaseValue) throws(ValueFault) -> JSONValue {
        switch stored {
        case .null: .null
        case .blob(let bytes): .text(Data(bytes).base64EncodedString())
        default: throw .typeMismatch(expected: "BLOB", found: stored.storageClass)
        }
    }

    static func stored(_ json: JSONValue) throws(ValueFault) -> DatabaseValue {
        switch json {
        case .null: return .null
        case .text(let text):
            guard let bytes = Data(base64Encoded: text) else {
                throw .notStorable(reason: "the encrypted value is not Base64")
            }
            return .blob([UInt8](bytes))
        default: throw .notStorable(reason: "expected the Base64 of an encrypted value, not \(json.kind)")
        }
    }

    /// The form that a line specifies; nil for a line with an object.
    static func form(_ line: JSONValue) throws -> ExportedValues? {
        guard case .object(let members) = line, members.count == 1, let value = line.member(JSONNames.values) else {
            return nil
        }
        guard case .text(let text) = value, let form = ExportedValues(rawValue: text) else {
            throw TransferError(
                "The form of encrypted values must be \"sealed\" or \"plain\"", property: JSONNames.values
            ).with(value)
        }
        return form
    }

    /// The members of an object with the decrypted values.
    static func opened(_ json: JSONValue, _ object: PersistentObject, _ space: ClassSpace) throws -> JSONValue {
        guard case .object(let members) = json else { return json }
        return .object(
            try members.map { member in
                guard let ordinal = space.map.ordinal(of: member.name) else { return member }
                let property = space.map.properties[ordinal]
                guard property.isEncrypted else { return member }
                do {
                    let stored = try stored(member.value)
                    if stored == .null { return member }
                    let value = try space.openedJSON(imported: stored, property, of: object)
                    return .init(name: member.name, value: value)
                } catch {
                    throw TransferError(error).at(className: space.map.name, property: property.name)
                }
            })
    }
}
