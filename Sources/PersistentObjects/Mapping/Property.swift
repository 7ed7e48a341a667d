package import StoreEngine

/// One stored property of a class, and where it is stored.
package struct Property: Sendable {
    package let name: String
    /// The column, or for a collection what its table's name ends in; in a table of others what statements that read call
    /// its columns.
    package internal(set) var column: String
    let formerColumns: [String]
    /// Where the value is in an object, inside any wrappers, or in the box.
    let offset: Int
    /// Where in an object the address of the value's box is (`@Lazy`, `@Inverse`); nil where there is none.
    let boxOffset: Int?
    let codec: PropertyCodec
    let shape: Shape
    let isIndexed: Bool
    let isUnique: Bool
    let isLazy: Bool
    /// Whether it is a lazy reference that lets go of its object.
    var isWeaklyLazy = false
    let deleteRule: DeleteRule
    /// Its place among the declared properties.
    let order: Int
    /// The class that declares it: 0 for the direct subclass of `PersistentObject`.
    let level: Int
    /// Whether it is marked so; `ClassMap.searchColumns` has those of `class var searchable` too.
    var isSearchable = false
    /// Whether its column is read and never written.
    var isReadOnly = false
    /// In a table of others the columns that it stands in, where these are not `column` alone: several of a reference,
    /// or one whose name another property has in statements.
    var foreignColumns: [String]?
    /// Where in its value it is; nil but for a field of an embedded value.
    var part: EmbeddedValue.Part?

    /// The columns that it stands in.
    var columns: [String] { foreignColumns ?? [column] }

    enum Shape: Sendable {
        case scalar
        case reference
        /// A child table, and where the collection is optional a column that tells nil from empty.
        case collection
        /// Read from the other side; neither column nor table.
        case inverse(SendablePath)
    }

    /// The name, and the column, of the property that classes with keys have of the library.
    package static let keyName = "key"

    /// Key paths are immutable.
    struct SendablePath: @unchecked Sendable { let path: AnyKeyPath }

    /// The type of its values.
    package var valueType: Any.Type { codec.valueType }

    /// What its column holds, if it has one.
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

    /// Whether it is one object of the store.
    package var isReference: Bool { if case .reference = shape { true } else { false } }

    /// Whether a row of the class is selected with its column.
    var isSelected: Bool {
        if case .scalar = shape { !isLazy } else { hasColumn }
    }

    /// Whether it is the library's own property of classes with keys.
    package var isKey: Bool { codec.isKey }

    /// Whether it is the other side of what is stored elsewhere.
    package var isInverse: Bool { if case .inverse = shape { true } else { false } }

    /// Whether it is one that has some of the objects only: what it had says nothing of what it has.
    var isFilteredInverse: Bool { (codec as? InverseCodec)?.condition != nil }

    /// Whether it holds objects of the store.
    package var isLink: Bool { codec is any LinkCodec }

    /// The class of the objects that it holds, or its elements are; nil where they are none.
    package var linkedClass: PersistentObject.Type? {
        let codec = (self.codec as? CollectionCodec)?.element ?? self.codec
        return (codec as? any LinkCodec)?.target
    }

    /// Where the value of the object at `start` is.
    @inline(__always)
    func address(in start: Address) -> Address {
        guard let boxOffset else { return start + offset }
        return ObjectMemory.boxAddress(at: start + boxOffset) + offset
    }

    /// Where in the stored property that it is in its codec finds the value.
    var partOffset: Int { part?.codecOffset ?? 0 }

    /// Calls `body` while the embedded value that it is a field of is not nil.
    func withValueAround<R>(in start: Address, _ body: () -> R) -> R {
        guard let part, part.presence != .always else { return body() }
        let field = address(in: start)
        let whole = ValueMemory(copying: field, part.whole.codec)
        codec.makePresent(field)
        defer { whole.assign(to: field) }
        return body()
    }

    /// Stops where the user is in the middle of an access to the property, whose value is at `field`.
    func checkNotBeingAccessed(_ field: Address) {
        // An access to a field of a structure is one to the stored property that it is in.
        ObjectMemory.checkNotBeingAccessed(field + -partOffset)
    }

    /// The box of the object at `start`.
    func box(in start: Address) -> LinkBox? {
        boxOffset.map { ObjectMemory.box(at: start + $0) }
    }

    /// Whether the value of the object at `start` is in memory.
    func isLoaded(in start: Address) -> Bool { box(in: start).map { !$0.state.isAway } ?? true }
}

/// An index as the table has it.
struct IndexDefinition: Sendable, Equatable {
    let name: String
    let columns: [String]
    let isUnique: Bool
    let isDescending: Bool
}

extension Property {
    /// Properties whose columns were renamed in a circle, circle by circle: the file does not tell whether that was done
    /// already.
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
