internal import Foundation
internal import StoreEngine

// Keys of files that were made when a UUID stood in its column as a text.
extension ClassMap {
    /// The key, where its column holds 16 bytes: files that were made before have a text there.
    var bytesKey: Property? {
        guard let keyPlace, properties[keyPlace].codec.columnType == .blob else { return nil }
        return properties[keyPlace]
    }

    /// A key as the column holds it today, of what the column held before.
    ///
    /// NULL, of rows that are older than the keys of their class, stays, and so do bytes.
    ///
    /// - Throws: `StoreError` with class, property and row for anything that is no UUID.
    func keyBytes(of value: DatabaseValue, rowID: Int64) throws(StoreError) -> DatabaseValue {
        let reason: String
        switch value {
        case .null: return value
        case .blob(let bytes) where bytes.count == 16: return value
        case .text(let text):
            if let uuid = UUID(uuidString: text) { return .blob(uuid.bytes) }
            // Values are no part of errors.
            reason = "the string, of \(text.count) characters, is not a UUID. "
        case .blob(let bytes): reason = "\(bytes.count) bytes are not a UUID, which has 16. "
        case .integer, .real: reason = "a number is not a UUID. "
        }
        let advice = "Correct the row with SQL, or use override class var identity: Identity { .string }"
        throw StoreError.value(.rejected(type: "UUID", reason: reason + advice))
            .at(className: name, property: Property.keyName, rowID: rowID)
    }
}
