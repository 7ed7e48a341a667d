// Sealed: how a class declares encrypted properties, and the SQL of their columns. It must not know keys.

internal import StoreEngine

/// How the values of a property are encrypted.
package struct PropertySealing: Sendable, Hashable {
    /// The name of the class that declares the property.
    let owner: String
    let property: String
    let isPadded: Bool
    /// Whether the hash of a value is stored with it, so that conditions on equality can use it.
    let isSearchable: Bool
    /// Whether the values are whole collections.
    let isCollection: Bool
    /// What derives the keys and is authenticated with each value. No name contains a tab.
    let context: String

    init(owner: String, property: String, isPadded: Bool, isSearchable: Bool, isCollection: Bool) {
        self.owner = owner
        self.property = property
        self.isPadded = isPadded
        self.isSearchable = isSearchable
        self.isCollection = isCollection
        context = "\(owner)\t\(property)"
    }

    /// The facts that the stored form depends on, in addition to the context.
    var flags: Int { (isPadded ? 1 : 0) | (isSearchable ? 2 : 0) | (isCollection ? 4 : 0) }
}

// The SQL of encrypted columns.
extension PropertySealing {
    private var contextLiteral: SQL {
        // A name contains no NUL, so the literal exists.
        SQLLiteral(.text(context)).map { "\(literal: $0)" } ?? "NULL"
    }

    /// The encrypted form of a value.
    ///
    /// - Parameter key: The key of the row's object; NULL in classes without keys.
    func sealed(_ value: SQL, key: SQL) -> SQL {
        "\(name: SealNames.seal)(\(value), \(contextLiteral), \(number: flags), \(key))"
    }

    /// The value of an encrypted column.
    package func opened(_ column: SQL, key: SQL) -> SQL {
        "\(name: SealNames.open)(\(column), \(contextLiteral), \(key))"
    }

    /// The hash of a value.
    func hashed(_ value: SQL) -> SQL { "\(name: SealNames.hash)(\(value), \(contextLiteral))" }

    /// The hash in a column with encrypted values.
    static func hash(in column: SQL) -> SQL { "substr(\(column), 2, 16)" }
}

extension ClassMap {
    /// Whether conditions can compare encrypted properties.
    var hasHashes: Bool { sealedOrdinals.contains { properties[$0].sealing?.isSearchable == true } }

    /// The column with the keys of the objects, as SQL; NULL in classes without keys.
    package func keySQL(of table: String? = nil) -> SQL {
        guard let keyOrdinal else { return "NULL" }
        let column = properties[keyOrdinal].column
        return table.map { "\(column: column, of: $0)" } ?? "\(name: column)"
    }
}

extension ClassMapBuilder {
    /// How a property is encrypted; throws if that is not supported.
    func sealing(
        of property: Property, _ options: PropertyOptions, isEmbedded: Bool
    ) throws -> PropertySealing? {
        guard options.isEncrypted else { return nil }
        func refusal(_ reason: String) -> SchemaError {
            .notStorable(
                className: name, property: property.name, type: property.typeName,
                reason: "@Encrypted does not support \(reason)")
        }
        guard case .scalar = property.shape else {
            throw refusal("references and collections of objects. Encrypt the properties of the other class")
        }
        guard !isEmbedded else {
            throw refusal("@Embedded values. Remove @Embedded, so that the value is in one column")
        }
        guard !isForeign else { throw refusal("existing tables") }
        guard !options.isReadOnly else { throw refusal("@ReadOnly properties") }
        guard !options.isSearchable else { throw refusal("@Searchable. Remove one of them") }
        guard !options.isIndexed else {
            throw refusal("@Indexed. Write @Encrypted(.searchable), which creates an index of hashes")
        }
        guard !options.isUnique || options.isHashed else {
            throw refusal("@Unique. Write @Encrypted(.searchable), whose hashes can be unique")
        }
        guard !options.isHashed || property.codec.isHashable else {
            throw refusal(
                ".searchable for this type, because equal values can have different stored forms. Write @Encrypted")
        }
        let declarer = ClassLineage.classes(above: type)[property.level]
        return PropertySealing(
            owner: String(describing: declarer), property: property.name, isPadded: options.isPadded,
            isSearchable: options.isHashed, isCollection: property.codec is WholeCollectionCodec)
    }
}

extension PropertyCodec {
    /// Whether equal values always have the same stored form.
    fileprivate var isHashable: Bool {
        let type = (valueType as? any OptionalType.Type)?.wrapped ?? valueType
        return isComparedAsStored && !isDecimal && !isScaled && !CodecFactory.isStoredAsJSON(type)
            && (type is any ColumnScalar.Type || type is any RawRepresentable.Type)
    }
}
