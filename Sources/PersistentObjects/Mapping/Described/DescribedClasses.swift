@_spi(Locks) internal import StoreEngine

/// The class maps of a file's description. Equal descriptions share their maps, which are never freed.
package final class DescribedClasses: Sendable {
    /// The descriptions by the names of the classes.
    package let descriptions: [String: ClassDescription]
    private let maps: [String: ClassMap]
    private let names: [ObjectIdentifier: String]

    private static let known = Locked<[[ClassDescription]: DescribedClasses]>([:])

    /// The maps of the described classes. A property whose type cannot be represented is omitted.
    package static func classes(_ descriptions: [ClassDescription]) -> DescribedClasses {
        if let found = known.withLock({ $0[descriptions] }) { return found }
        let made = DescribedClasses(descriptions)
        return known.withLock { known in
            if let first = known[descriptions] { return first }
            known[descriptions] = made
            return made
        }
    }

    private init(_ descriptions: [ClassDescription]) {
        let byName = Dictionary(descriptions.map { ($0.name, $0) }) { first, _ in first }
        let types = byName.mapValues { _ in DescribedTypes.next() }
        self.descriptions = byName
        names = Dictionary(uniqueKeysWithValues: types.map { (ObjectIdentifier($1), $0) })
        var maps: [String: ClassMap] = [:]
        for (name, description) in byName {
            guard let type = types[name] else { continue }
            let root = DescribedClasses.root(of: description, byName)
            let map = DescribedClasses.map(of: description, type, root: root, types)
            map.register()
            maps[name] = map
        }
        self.maps = maps
        for (name, map) in maps {
            for property in byName[name]?.properties ?? [] where property.kind == .inverse {
                guard let ordinal = map.ordinal(of: property.name), let path = property.inverse,
                    let side = DescribedClasses.side(path, maps)
                else { continue }
                side.register(for: ordinal, of: map)
            }
        }
    }

    /// The superclass below which the hierarchy of a class begins in the file.
    private static func root(of description: ClassDescription, _ all: [String: ClassDescription]) -> ClassDescription {
        var root = description
        var seen: Set<String> = [root.name]
        while let name = root.superclass, let next = all[name], next.table == root.table, seen.insert(name).inserted {
            root = next
        }
        return root
    }

    private static func map(
        of description: ClassDescription, _ type: PersistentObject.Type, root: ClassDescription,
        _ types: [String: PersistentObject.Type]
    ) -> ClassMap {
        let inherited = Set(root.properties.map(\.name))
        var properties: [Property] = []
        var seen: Set<String> = []
        // A damaged or hostile file can describe a property twice.
        for (order, property) in description.properties.enumerated() where seen.insert(property.name).inserted {
            let isKey = property.name == Property.keyName && description.hasKey
            let found =
                isKey
                ? KeyCodecs.codec(for: description.identity == "uuid" ? .uuid : .string)
                : DescribedCodecs.codec(of: property) { types[$0] }
            guard let codec = found else { continue }
            let shape: Property.Shape =
                switch property.kind {
                case .scalar, .value: .scalar
                case .reference: .reference
                case .array, .set, .dictionary: .collection
                // The other side is registered, so the key path is not used.
                case .inverse: .inverse(.init(path: \PersistentObject.id))
                }
            properties.append(
                Property(
                    name: property.name, column: property.storage, formerColumns: [], offset: 0, boxOffset: nil,
                    codec: codec, shape: shape, isIndexed: property.isIndexed, isUnique: property.isUnique,
                    isLazy: property.isLazy, deleteRule: .nullify, order: order,
                    level: inherited.contains(property.name) ? 0 : 1))
        }
        let ordered =
            properties.filter(\.isSelected) + properties.filter { $0.hasColumn && !$0.isSelected }
            + properties.filter { !$0.hasColumn }
        // They are not created here: they tell a query which columns an index would help.
        let indexes = ordered.filter { $0.isIndexed || $0.isReference }.map { property in
            IndexDefinition(
                name: "\(description.table).\(property.column).index", columns: [property.column], isUnique: false,
                isDescending: false)
        }
        return ClassMap(
            type: type, root: types[root.name] ?? type, name: description.name, table: description.table,
            properties: ordered, indexes: indexes, scratch: ScratchObject(Examination.run { type.init() }),
            defaults: Array(repeating: nil, count: ordered.count))
    }

    /// The side that a recorded key path names: `\Person.employer`.
    private static func side(_ path: String, _ maps: [String: ClassMap]) -> InverseSide? {
        guard path.first == "\\", let dot = path.firstIndex(of: "."),
            let other = maps[String(path[..<dot].dropFirst())],
            let ordinal = other.ordinal(of: String(path[path.index(after: dot)...]))
        else { return nil }
        return InverseSide(other: other, ordinal: ordinal)
    }
}

extension ClassDescription {
    /// Whether its objects have keys.
    package var hasKey: Bool { identity == "uuid" || identity == "string" }
}

extension DescribedClasses {
    /// The map of a class; nil if the file does not describe it.
    package func map(of name: String) -> ClassMap? { maps[name] }

    /// The map of a type that represents a class.
    func map(of type: PersistentObject.Type) -> ClassMap? { names[ObjectIdentifier(type)].flatMap { maps[$0] } }

    /// A class and its subclasses, by name.
    func family(of map: ClassMap) -> [ClassMap] {
        maps.values.filter { isClass($0.name, map.name) }.sortedUnspecialized { $0.name < $1.name }
    }

    /// Whether a class is another class or a subclass of it.
    package func isClass(_ name: String, _ other: String) -> Bool {
        var next: String? = name
        var seen: Set<String> = []
        while let name = next, seen.insert(name).inserted {
            if name == other { return true }
            next = descriptions[name]?.superclass
        }
        return false
    }

    /// The reason that a column's value is not a value of a property; nil if it is.
    package func fault(of value: DatabaseValue, _ property: String, of className: String) -> String? {
        guard let map = maps[className], let ordinal = map.ordinal(of: property) else { return nil }
        let codec = map.properties[ordinal].codec
        switch map.properties[ordinal].shape {
        case .scalar:
            if let fault = codec.fault(of: value) { return "\(fault)" }
        case .reference, .collection, .inverse:
            switch value {
            case .null, .integer: break
            default: return "\(ValueFault.typeMismatch(expected: "INTEGER", found: value.storageClass))"
            }
        }
        return unknownCase(value, property, of: className)
    }

    /// The reason that an element or a key of a collection cannot be read; nil if it can.
    package func elementFault(
        of value: DatabaseValue, isKey: Bool, _ property: String, of className: String
    ) -> String? {
        guard let map = maps[className], let ordinal = map.ordinal(of: property),
            let collection = map.properties[ordinal].codec as? CollectionCodec,
            let codec = isKey ? collection.key : collection.element, !(codec is ReferenceCodec)
        else { return nil }
        return codec.fault(of: value).map { "\($0)" }
    }

    /// The value of a property's column for a literal.
    package func stored(
        _ literal: DescribedLiteral, _ property: String, of className: String
    ) throws -> DatabaseValue {
        guard let map = maps[className], let ordinal = map.ordinal(of: property) else {
            throw StoreError(
                .misuse, "The file does not describe this property", className: className, property: property)
        }
        let codec = map.properties[ordinal].codec
        func located(_ fault: ValueFault) -> StoreError {
            .value(fault).at(className: className, property: property)
        }
        let stored: DatabaseValue?
        do throws(ValueFault) {
            stored = try codec.encodeQueryArgument(literal.value(for: codec)).map { (value) throws(ValueFault) in
                codec.recodesArguments ? try codec.recoded(value) : value
            }
        } catch { throw located(error) }
        guard let stored, stored != .null || codec.acceptsNull else {
            let type = descriptions[className]?.properties.first { $0.name == property }?.type ?? "this type"
            throw located(.rejected(type: type, reason: "the property cannot have this value"))
        }
        if let reason = fault(of: stored, property, of: className) { throw located(.notStorable(reason: reason)) }
        return stored
    }

    private func unknownCase(_ value: DatabaseValue, _ property: String, of className: String) -> String? {
        let found = descriptions[className]?.properties.first { $0.name == property }
        guard let found, found.kind == .scalar, !found.cases.isEmpty else { return nil }
        let text: String
        switch value {
        case .text(let raw): text = raw
        case .integer(let raw): text = "\(raw)"
        default: return nil
        }
        guard !found.cases.contains(text) else { return nil }
        return "\(found.type) has no case with the raw value \(text). Its raw values are "
            + found.cases.joined(separator: ", ")
    }
}
