// Described: class maps that are made from a file's description of its classes, for a program that does not have the
// classes. It knows codecs and maps, and must neither read a file nor know a store.

/// A file's description of one class.
package struct ClassDescription: Hashable, Sendable {
    package let name: String
    package let table: String
    /// The name of the superclass, if the file describes it.
    package let superclass: String?
    /// The kind of the objects' keys, as the file records it.
    package let identity: String
    /// Whether the table has a column for the class of each row.
    package let hasClassColumn: Bool
    /// The properties in declared order, including inherited properties, without removed properties.
    package let properties: [PropertyDescription]

    /// Creates a description.
    package init(
        name: String, table: String, superclass: String?, identity: String, hasClassColumn: Bool,
        properties: [PropertyDescription]
    ) {
        self.name = name
        self.table = table
        self.superclass = superclass
        self.identity = identity
        self.hasClassColumn = hasClassColumn
        self.properties = properties
    }
}

/// A file's description of one property.
package struct PropertyDescription: Hashable, Sendable {
    /// The kind of a property.
    package enum Kind: String, Sendable {
        case scalar, reference, array, set, dictionary, inverse
        /// A `Codable` value, which is stored as JSON.
        case value

        /// Whether the elements are rows of a separate table.
        package var isCollection: Bool { self == .array || self == .set || self == .dictionary }
    }

    package let name: String
    /// The column; for a collection, the suffix of its table's name; empty for an inverse.
    package let storage: String
    /// Whether the table of the class has the column.
    package let hasColumn: Bool
    package let kind: Kind
    /// The Swift type without the `?` of an optional, such as `Int`, `Status: String`, `Decimal(2)`, `Array<String>`.
    package let type: String
    /// The class that it links to.
    package let target: String?
    package let isOptional: Bool
    /// The other side of an inverse, such as `\Person.employer`.
    package let inverse: String?
    package let deleteRule: String?
    /// The initial value as SQL.
    package let initial: String?
    /// The raw values of an enumeration; empty if they are not known.
    package let cases: [String]
    package let isIndexed: Bool
    package let isUnique: Bool
    package let isLazy: Bool
    package let isSearched: Bool
    /// Whether the column has encrypted values.
    package let isEncrypted: Bool
    /// The declared type of the column, or of the column of the elements; nil if there is none.
    package let columnType: String?
    /// The declared type of the column of a dictionary's keys.
    package let keyColumnType: String?

    /// Creates a description.
    package init(
        name: String, storage: String, hasColumn: Bool, kind: Kind, type: String, target: String?, isOptional: Bool,
        inverse: String?, deleteRule: String?, initial: String?, cases: [String], isIndexed: Bool, isUnique: Bool,
        isLazy: Bool, isSearched: Bool, isEncrypted: Bool, columnType: String?, keyColumnType: String?
    ) {
        self.name = name
        self.storage = storage
        self.hasColumn = hasColumn
        self.kind = kind
        self.type = type
        self.target = target
        self.isOptional = isOptional
        self.inverse = inverse
        self.deleteRule = deleteRule
        self.initial = initial
        self.cases = cases
        self.isIndexed = isIndexed
        self.isUnique = isUnique
        self.isLazy = isLazy
        self.isSearched = isSearched
        self.isEncrypted = isEncrypted
        self.columnType = columnType
        self.keyColumnType = keyColumnType
    }

    /// The types between the angle brackets of a collection's type: the element, or the key and the value.
    package var parts: [String] {
        guard kind.isCollection, let open = type.firstIndex(of: "<"), type.last == ">" else { return [] }
        let inner = type[type.index(after: open)...].dropLast()
        guard kind == .dictionary else { return [String(inner)] }
        var depth = 0
        for index in inner.indices {
            switch inner[index] {
            case "<", "(", "[": depth += 1
            case ">", ")", "]": depth -= 1
            case "," where depth == 0:
                return [String(inner[..<index]), String(inner[inner.index(after: index)...].drop { $0 == " " })]
            default: break
            }
        }
        return [String(inner)]
    }
}
