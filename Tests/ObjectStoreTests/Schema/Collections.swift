import StoreEngine

@testable import PersistentObjects

/// Class maps with collections of any kind that are only prepared; their values are never read or written.
enum Collections {
    static func property(
        _ name: String, _ style: CollectionCodec.Style, of element: PropertyCodec, key: PropertyCodec? = nil,
        isOptional: Bool = false, column: String? = nil, formerColumns: [String] = [], rule: DeleteRule = .nullify
    ) -> Property {
        let codec = CollectionCodec(
            valueType: [Int].self, style: style, key: key, element: element, isOptional: isOptional)
        return Property(
            name: name, column: column ?? name, formerColumns: formerColumns, offset: 0, boxOffset: nil, codec: codec,
            shape: .collection, isIndexed: false, isUnique: false, isLazy: false, deleteRule: rule, order: 99, level: 0)
    }

    static func map(of type: PersistentObject.Type, adding properties: [Property]) throws -> ClassMap {
        let map = try ClassMap.map(of: type)
        let added = properties.filter(\.hasColumn) + properties.filter { !$0.hasColumn }
        let defaults = added.map { _ in ClassMap.DefaultValue(value: .null, isConstant: true) }
        return ClassMap(
            type: map.type, root: map.root, table: map.table, properties: map.properties + added,
            indexes: map.indexes, scratch: map.scratch, defaults: map.defaults + defaults)
    }

    static var int: PropertyCodec { FieldCodec<ScalarForm<Int>>() }
    static var text: PropertyCodec { FieldCodec<ScalarForm<String>>() }
    static var optionalText: PropertyCodec { FieldCodec<OptionalForm<ScalarForm<String>>>() }
    static func reference<T: Persistent>(to type: T.Type) -> PropertyCodec { TypedReferenceCodec<T>(isWeak: false) }
}

extension Store {
    func prepare(_ map: ClassMap) throws { try withSession { session throws in try session.prepareTable(of: map) } }
}
