internal import StoreEngine

/// A comparison with what its SQL needs of the classes on its path.
struct ResolvedComparison {
    let comparison: FinderCondition.Comparison
    /// The class that has the subject.
    let map: ClassMap
    private let links: [LinkSQL]
    /// The subject, where it is a collection or inverse.
    private let own: LinkSQL?
    /// The path as Swift writes it, `employer.name`.
    let name: String
    private unowned let session: Session

    init(_ comparison: FinderCondition.Comparison, _ start: ClassMap, finder: String, _ session: Session) throws {
        self.comparison = comparison
        self.session = session
        var map = start
        var links: [LinkSQL] = []
        var names: [String] = []
        for place in comparison.path {
            names.append(map.properties[place].name)
            guard let link = try LinkSQL(map.properties[place], of: map, session), let target = link.target else {
                throw FinderError.notStoredProperty(
                    className: start.name, keyPath: names.joined(separator: "."), reason: .path)
            }
            links.append(link)
            map = target
        }
        self.map = map
        self.links = links
        guard case .property(let place) = comparison.subject else {
            name = (names + ["id"]).joined(separator: ".")
            own = nil
            return
        }
        let property = map.properties[place]
        name = (names + [property.name]).joined(separator: ".")
        switch property.shape {
        case .scalar, .reference: own = nil
        case .collection, .inverse: own = try LinkSQL(property, of: map, session)
        }
        let isComparable = own?.isToOne ?? true
        if (own == nil && comparison.operation != .equal) || (!isComparable && comparison.operation == .equal) {
            throw FinderError.wrongOperator(
                className: start.name, finder: finder, property: name, operation: comparison.operation.rawValue,
                isCollection: own != nil)
        }
    }

    /// Whether it is the object's own id that is compared.
    var isOwnID: Bool { comparison.subject == .id && links.isEmpty }

    /// Whether nil is an argument that wants other SQL than a value does.
    var tellsNil: Bool { comparison.operation == .equal && (own != nil || isOptionalChain) }

    /// Whether Swift's `a.b?.c == nil` is meant where the argument is nil: the path ends in an optional object.
    private var isOptionalChain: Bool { links.last?.isToOne ?? false }

    /// The argument as the column holds it; nil where it is of a wrong type.
    func value(of argument: Any?) throws -> DatabaseValue? {
        let isMissing = argument == nil && isOptionalChain && comparison.operation == .equal
        guard case .property(let place) = comparison.subject else {
            return isMissing ? .null : try argument.flatMap { try Int64.argument($0) }
        }
        let property = map.properties[place]
        let codec = comparison.operation == .containing ? elementCodec(property) : property.codec
        var value = try codec.encodeArgument(argument)
        if value != nil, let id = argument as? any NamesObject, id.key != nil, let codec = codec as? any LinkCodec {
            // Of an object of another file the key is known, not the row.
            let object = try session.find(try session.space(of: codec.target), named: id)
            value = .integer(object?.rowID ?? 0)
        }
        if value == .null, comparison.operation == .containing, !(codec.acceptsNull && own?.target == nil) {
            return nil
        }
        return value ?? (isMissing ? .null : nil)
    }

    /// What an argument must be, for messages.
    var argumentType: String {
        guard case .property(let place) = comparison.subject else { return "Int64" }
        let property = map.properties[place]
        let type = comparison.operation == .containing ? elementCodec(property).valueType : property.codec.valueType
        // An object is compared, never none.
        let isObject = comparison.operation == .containing && own?.target != nil
        return String(describing: isObject ? (type as? any OptionalType.Type)?.wrapped ?? type : type)
    }

    private func elementCodec(_ property: Property) -> PropertyCodec {
        if let collection = property.codec as? CollectionCodec { return collection.element }
        return (property.codec as? InverseCodec)?.element ?? property.codec
    }

    /// Appends the comparison; `isNil` says that the argument is nil.
    func append(to sql: inout SQL, isNil: Bool) {
        var links = links[...]
        var column: (name: String, table: String)?
        var acceptsNull = false
        switch comparison.subject {
        case .id:
            column = ("id", map.table)
            // The id of what a reference refers to is in the reference's own column.
            if let last = links.last, let reference = last.referenceColumn {
                column = (reference, last.table)
                acceptsNull = true
                links = links.dropLast()
            }
        case .property(let place) where own == nil:
            column = (map.properties[place].column, map.table)
            acceptsNull = map.properties[place].codec.acceptsNull
        case .property: break
        }
        let many = links.lastIndex { !$0.isToOne } ?? -1
        var open = 0
        for (place, link) in links.enumerated() {
            if isNil, isOptionalChain, place > many {
                sql.append("(")
                link.appendEmptiness(true, to: &sql)
                sql.append(" OR ")
                open += 1
            }
            open += link.appendOpening(to: &sql)
        }
        if let column {
            sql.append(column: column.name, of: column.table)
            // `IS` finds nil too, as Swift's `==` does, and uses an index as `=` does.
            sql.append(acceptsNull || isNil ? " IS ?" : " = ?")
        } else if let own {
            switch comparison.operation {
            case .containing: own.appendContains(to: &sql)
            case .isEmpty, .isNotEmpty: own.appendEmptiness(comparison.operation == .isEmpty, to: &sql)
            case .equal where isNil:
                own.appendEmptiness(true, to: &sql)
                // The argument is bound all the same.
                sql.append(" AND ? IS NULL")
            case .equal: own.appendContains(to: &sql)
            }
        }
        for _ in 0..<open { sql.append(")") }
    }
}
