internal import Foundation
internal import StoreEngine

// Keys of files from versions that stored a UUID as a string.
extension ClassMap {
    /// The key property, if its column stores 16 bytes. Older files store a string in it.
    var bytesKey: Property? {
        guard let keyOrdinal, properties[keyOrdinal].codec.columnType == .blob else { return nil }
        return properties[keyOrdinal]
    }

    /// Converts a key from its old column form to the current form.
    ///
    /// NULL, in rows from before the class had keys, and 16 bytes are returned unchanged.
    ///
    /// - Throws: `StoreError` with class, property and row for anything that is not a UUID.
    func keyBytes(of value: DatabaseValue, rowID: Int64) throws(StoreError) -> DatabaseValue {
        let reason: String
        switch value {
        case .null: return value
        case .blob(let bytes) where bytes.count == 16: return value
        case .text(let text):
            if let uuid = UUID(uuidString: text) { return .blob(uuid.bytes) }
            // Errors do not contain values.
            reason = "the string, of \(text.count) characters, is not a UUID. "
        case .blob(let bytes): reason = "\(bytes.count) bytes are not a UUID, which has 16. "
        case .integer, .real: reason = "a number is not a UUID. "
        }
        let advice = "Correct the row with SQL, or use override class var identity: Identity { .string }"
        throw StoreError.value(.rejected(type: "UUID", reason: reason + advice))
            .at(className: name, property: Property.keyName, rowID: rowID)
    }
}
