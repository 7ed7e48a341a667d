/// The names that encrypted properties use in files and in SQL.
package enum SealNames {
    /// The table of the keys with which values of the file are encrypted.
    package static let keys = "po_key"

    /// The table of the encrypted columns.
    package static let columns = "po_sealed"

    /// The feature that a program must know to read a file with encrypted values.
    package static let feature = "encrypted"

    /// The feature of a file whose free pages or log can contain the plain text of values that were encrypted since.
    package static let remains = "plain remains"

    /// The function that encrypts a value.
    package static let seal = "po_seal"

    /// The function that decrypts a value.
    package static let open = "po_open"

    /// The function that returns the hash of a value.
    package static let hash = "po_hash"

    /// Whether the arguments of a statement can be values that are stored encrypted.
    package static func areUsed(in sql: String) -> Bool { sql.contains(seal) || sql.contains(hash) }
}
