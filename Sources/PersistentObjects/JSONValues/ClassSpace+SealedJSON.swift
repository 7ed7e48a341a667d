package import StoreEngine

// Encrypted values in JSON.
extension ClassSpace {
    /// The JSON of the value in encrypted bytes.
    ///
    /// - Parameter key: The key of the row's object; NULL in classes without keys.
    package func openedJSON(
        _ stored: DatabaseValue, _ property: Property, key: DatabaseValue, rowID: Int64
    ) throws -> JSONValue {
        guard let sealing = property.sealing else { return .null }
        return try property.codec.json(stored: opened(stored, sealing, key: key, rowID: rowID))
    }

    /// The JSON of the value in encrypted bytes that another store may have written.
    ///
    /// - Parameter object: The object of the value, which has its key.
    package func openedJSON(
        imported stored: DatabaseValue, _ property: Property, of object: PersistentObject
    ) throws -> JSONValue {
        guard let sealing = property.sealing, let sealed = session.store.sealed else { return .null }
        var key = DatabaseValue.null
        if let keyOrdinal = map.keyOrdinal {
            let codec = map.properties[keyOrdinal]
            key = try codec.codec.encode(codec.address(in: ObjectMemory.start(of: object)))
        }
        return try property.codec.json(stored: sealed.imported(stored, sealing.context, key: key))
    }
}

extension Property {
    /// Whether its values are encrypted.
    package var isEncrypted: Bool { sealing != nil }
}
