internal import StoreEngine

/// The tables and properties whose changes can change the content of an inverse with a condition.
struct InverseReach {
    /// The tables of the classes that the condition uses, in lowercase.
    let tables: Set<String>
    /// The properties of the other side that matter, if the condition uses only them; nil if it also uses other rows.
    private let properties: Set<String>?

    /// - Throws: `SchemaError.notFilterable` if the condition cannot be evaluated for a single row.
    init(_ property: Property, of map: ClassMap, _ dialect: Dialect) throws {
        let side = try InverseSide.of(property, in: map)
        let classes = NamedClasses(dialect)
        do { _ = try ElementSource(standingAlone: property, of: map, classes) } catch {
            let reason =
                (error as? QueryExpression.UnwritableArgument)?.reason ?? (error as? QueryError)?.reason ?? "\(error)"
            throw SchemaError.notFilterable(className: map.name, property: property.name, reason: reason)
        }
        tables = Set((classes.named + [side.other]).map { Naming.folded($0.table) })
        let words = ((property.codec as? InverseCodec)?.condition as? QueryExpression)?.words ?? []
        properties = InverseReach.ownProperties(words, side.other).map { $0.union([side.property.name]) }
    }

    /// The properties of a class that words use; nil if the words also use other rows.
    private static func ownProperties(_ words: [QueryExpression.Word], _ map: ClassMap) -> Set<String>? {
        var names: Set<String> = []
        for word in words {
            switch word {
            case .argument, .operation: continue
            case .column(0, let path):
                guard path.steps.count == 1, let step = path.steps.first,
                    case .property(let ordinal)? = try? step.subject(in: map), !map.properties[ordinal].isInverse
                else { return nil }
                if case .keyPath(let path) = step, KeyPathProbe.isPath(path) { return nil }
                names.insert(map.properties[ordinal].name)
            case .column, .enter, .enterQuery, .leaveQuery, .leaveFirst, .leave, .leaveAggregate: return nil
            }
        }
        return names
    }

    /// Whether a change to rows of a class can change the inverse.
    ///
    /// - Parameter changed: The changed properties; nil if rows were inserted or deleted.
    func isConcerned(by map: ClassMap, _ changed: ColumnSet?) -> Bool {
        guard tables.contains(Naming.folded(map.table)) else { return false }
        guard let properties, let changed else { return true }
        var isOne = false
        changed.forEach { isOne = isOne || properties.contains(map.properties[$0].name) }
        return isOne
    }
}

/// Collects the classes that an expression refers to, whether they have tables yet or not.
private final class NamedClasses: ClassDirectory {
    let dialect: Dialect
    private(set) var named: [ClassMap] = []

    init(_ dialect: Dialect) { self.dialect = dialect }

    func map(of type: PersistentObject.Type) throws -> ClassMap {
        let map = try ClassMap.map(of: type)
        named.append(map)
        return map
    }

    func rows(of type: PersistentObject.Type, as alias: String) throws -> SQL {
        try map(of: type).rows(as: alias, dialect)
    }

    func names(of map: ClassMap) -> [String] { [map.name] }
}
