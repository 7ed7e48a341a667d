package import StoreEngine

/// One stored property of a class, and where it is stored.
package struct Property: Sendable {
    package let name: String
    /// The column; for a collection, the suffix of its table's name; in an existing table, the name of its columns in
    /// reading statements.
    package internal(set) var column: String
    let formerColumns: [String]
    /// The offset of the value in an object, inside any wrappers, or in the box.
    let offset: Int
    /// The offset of the address of the value's box in an object (`@Lazy`, `@Inverse`); nil if there is none.
    let boxOffset: Int?
    let codec: PropertyCodec
    let shape: Shape
    let isIndexed: Bool
    let isUnique: Bool
    let isLazy: Bool
    /// Whether it is a lazy reference that releases its object.
    var isWeaklyLazy = false
    let deleteRule: DeleteRule
    /// Its ordinal among the declared properties.
    let order: Int
    /// The level of the class that declares it: 0 for the direct subclass of `PersistentObject`.
    let level: Int
    /// Whether it is marked `@Searchable`; `ClassMap.searchColumns` also includes `class var searchable`.
    var isSearchable = false
    /// Whether its column is read and never written.
    var isReadOnly = false
    /// The columns in an existing table, if they are not `column` alone: several columns of a reference, or a column
    /// whose name another property uses in statements.
    var foreignColumns: [String]?
    /// How its values are encrypted; nil if they are not.
    package internal(set) var sealing: PropertySealing?
    /// How sync merges concurrent changes; nil if the last change wins.
    var mergeRule: MergeRule?
    /// The location of a field in its embedded value; nil for other properties.
    var part: EmbeddedValue.Part?

    /// The columns that store it.
    var columns: [String] { foreignColumns ?? [column] }

    enum Shape: Sendable {
        case scalar
        case reference
        /// A child table and, if the collection is optional, a column that distinguishes nil from empty.
        case collection
        /// Read from the other side, without column or table.
        case inverse(SendablePath)
    }

    /// The name, and the column, of the library's property in classes with keys.
    package static let keyName = "key"

    /// Key paths are immutable.
    struct SendablePath: @unchecked Sendable { let path: AnyKeyPath }

    /// The type of its values.
    package var valueType: Any.Type { codec.valueType }

    /// The content of its column, if it has one.
    package var columnType: ColumnType { codec.columnType }

    /// Whether it can be nil.
    package var acceptsNull: Bool { codec.acceptsNull }

    /// The type as the user wrote it.
    var typeName: String { TypeSpelling.of(codec.valueType) }

    /// Whether the class's table has a column for it.
    package var hasColumn: Bool {
        switch shape {
        case .scalar, .reference: true
        case .collection: codec.acceptsNull
        case .inverse: false
        }
    }

    /// Whether its values, or objects, are rows of a child table.
    package var isCollection: Bool { if case .collection = shape { true } else { false } }

    /// Whether it is a reference to an object of the store.
    package var isReference: Bool { if case .reference = shape { true } else { false } }

    /// Whether its column is selected with a row of the class.
    var isSelected: Bool {
        if case .scalar = shape { !isLazy } else { hasColumn }
    }

    /// Whether it is `key`, which the library adds to classes with keys.
    package var isKey: Bool { codec.isKey }

    /// Whether it is an inverse, which is read from links that are stored on the other side.
    package var isInverse: Bool { if case .inverse = shape { true } else { false } }

    /// Whether it is an inverse with a condition, whose earlier objects do not determine its current objects.
    var isFilteredInverse: Bool { (codec as? InverseCodec)?.condition != nil }

    /// Whether it contains objects of the store.
    package var isLink: Bool { codec is any LinkCodec }

    /// The class of its object or elements; nil if they are not objects.
    package var linkedClass: PersistentObject.Type? {
        let codec = (self.codec as? CollectionCodec)?.element ?? self.codec
        return (codec as? any LinkCodec)?.target
    }

    /// The address of the value of the object at `start`.
    @inline(__always)
    func address(in start: Address) -> Address {
        guard let boxOffset else { return start + offset }
        return ObjectMemory.boxAddress(at: start + boxOffset) + offset
    }

    /// The offset at which its codec finds the value in the stored property that contains it.
    var partOffset: Int { part?.codecOffset ?? 0 }

    /// Calls `body` while the embedded value that contains the field is not nil.
    func withValueAround<R>(in start: Address, _ body: () -> R) -> R {
        guard let part, part.presence != .always else { return body() }
        let field = address(in: start)
        let whole = ValueMemory(copying: field, part.whole.codec)
        codec.makePresent(field)
        defer { whole.assign(to: field) }
        return body()
    }

    /// Traps if the user is accessing the property, whose value is at `field`.
    func checkNotBeingAccessed(_ field: Address) {
        // An access to a field of a structure is an access to the stored property that contains it.
        ObjectMemory.checkNotBeingAccessed(field + -partOffset)
    }

    /// The box of the object at `start`.
    func box(in start: Address) -> LinkBox? {
        boxOffset.map { ObjectMemory.box(at: start + $0) }
    }

    /// Whether the value of the object at `start` is in memory.
    func isLoaded(in start: Address) -> Bool { box(in: start).map { !$0.state.isAway } ?? true }
}

/// An index of the table.
struct IndexDefinition: Sendable, Equatable {
    let name: String
    let columns: [String]
    let isUnique: Bool
    let isDescending: Bool
    /// Whether the column is encrypted, so that its hashes are indexed.
    var isOfHashes = false
}

extension Property {
    /// The circles of properties whose columns were renamed into each other. The file does not show whether such a
    /// renaming was already done.
    static func renamingCircles(in properties: [Property]) -> [[Property]] {
        let renamed = properties.filter { !$0.formerColumns.isEmpty }
        guard renamed.count > 1 else { return [] }
        let former = renamed.map { property in
            let names = Set(property.formerColumns.map(Naming.folded))
            return renamed.indices.filter {
                renamed[$0].name != property.name && names.contains(Naming.folded(renamed[$0].column))
            }
        }
        func reached(from start: Int) -> Set<Int> {
            var seen: Set<Int> = []
            var waiting = former[start]
            while let next = waiting.popLast() {
                if seen.insert(next).inserted { waiting += former[next] }
            }
            return seen
        }
        let reached = renamed.indices.map(reached)
        var circles: [[Property]] = []
        var seen: Set<Int> = []
        for start in renamed.indices where reached[start].contains(start) && !seen.contains(start) {
            let circle = renamed.indices.filter { reached[start].contains($0) && reached[$0].contains(start) }
            seen.formUnion(circle)
            circles.append(circle.map { renamed[$0] })
        }
        return circles
    }
}
