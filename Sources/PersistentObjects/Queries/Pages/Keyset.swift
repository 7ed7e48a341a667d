internal import StoreEngine

/// A query from an object on, in the query's own order.
struct Keyset {
    private var definition: QueryDefinition
    private let map: ClassMap

    init(_ definition: QueryDefinition) throws {
        guard definition.limit == nil, definition.offset == 0 else {
            throw QueryError.notExpressible("what comes after or before an object is asked without limit and offset")
        }
        guard !definition.isRanked else {
            throw QueryError.notExpressible(
                "what comes after or before an object is asked in an order of stored properties; give the search one")
        }
        self.definition = definition
        map = try ClassMap.map(of: definition.type)
        self.definition.orders.append(.byID(of: map))
    }

    /// The same with the last first.
    func reversed() -> Keyset {
        var result = self
        result.definition.orders = definition.orders.map(\.reversed)
        return result
    }

    /// The queries for what comes after an object, one behind the other: one, or two where it goes on from rows that
    /// have a value in the first order to rows that have none, or the other way. Asked apart, an index can begin each.
    ///
    /// In words: more in the first order, or equal in it and more in the second,
    /// and so on.
    func definitions(after object: PersistentObject) throws -> [QueryDefinition] {
        guard object.lifecycle != .new else {
            throw StoreError(.misuse, "the object was never saved, so no place is behind it", className: map.name)
        }
        let places = try definition.orders.map { try Place($0, object, map) }
        var rest: QueryExpression?
        for index in places.indices.dropFirst().reversed() {
            // Among rows that all have nil in the first order, an index goes on with the second.
            rest = places[index].isBehind(or: rest, beginsIndex: index == 1 && places[0].hasNil)
        }
        guard places[0].acceptsNil else { return [asking(places[0].isBehind(or: rest, beginsIndex: true))] }
        // Where nil comes does not matter among rows that all have it, or all have not.
        var query = self
        query.definition.orders[0] = query.definition.orders[0].withoutNilPlace
        return places[0].partsBehind(or: rest).map { query.asking($0) }
    }

    private func asking(_ condition: QueryExpression) -> QueryDefinition {
        var result = definition
        result.add(condition)
        return result
    }

    /// An object's place in one order.
    private struct Place {
        private let column: QueryExpression
        private let argument: QueryExpression.Argument
        let hasNil: Bool
        private let style: QueryDefinition.OrderStyle
        let acceptsNil: Bool

        init(_ order: QueryDefinition.Order, _ object: PersistentObject, _ map: ClassMap) throws {
            guard order.expression.words.count == 1, case .column(0, let path) = order.expression.words[0] else {
                throw QueryError.notExpressible(
                    "what comes after or before an object is asked in an order of stored properties; "
                        + "this order is by what is made of them")
            }
            let found = try PathValue(path, of: object, map)
            column = order.style.ignoresCase ? order.expression.applying(.ignoringCase) : order.expression
            argument = .value(found.value)
            hasNil = found.value == .null
            style = order.style
            acceptsNil = found.acceptsNil
        }

        private var isNil: QueryExpression { column.applying(.isNil) }
        private var hasNilLast: Bool { style.hasNilLast ?? style.isDescending }

        private var isEqual: QueryExpression { hasNil ? isNil : column.applying(.equal, argument) }
        private var isMore: QueryExpression { column.applying(style.isDescending ? .less : .greater, argument) }

        private var isBehind: QueryExpression {
            guard !hasNil else {
                return hasNilLast ? QueryExpression(.operation(.never)) : column.applying(.isNotNil)
            }
            return acceptsNil && hasNilLast ? isMore.applying(.or, isNil) : isMore
        }

        /// That a row is behind in this order, or equal in it and behind in the rest; so that an index can begin here,
        /// or in as few comparisons as there can be.
        func isBehind(or rest: QueryExpression?, beginsIndex: Bool) -> QueryExpression {
            guard let rest else { return isBehind }
            guard beginsIndex, !hasNil, !(acceptsNil && hasNilLast) else {
                return isBehind.applying(.or, isEqual.applying(.and, rest))
            }
            return isMoreOrEqual(and: rest)
        }

        private func isMoreOrEqual(and rest: QueryExpression?) -> QueryExpression {
            guard let rest else { return isMore }
            // Where it is not more it is equal.
            return column.applying(style.isDescending ? .lessOrEqual : .greaterOrEqual, argument)
                .applying(.and, isMore.applying(.or, rest))
        }

        /// The same in two: among the rows that have a value or nil as the object has, and behind all of these.
        func partsBehind(or rest: QueryExpression?) -> [QueryExpression] {
            if hasNil {
                let here = rest.map { isNil.applying(.and, $0) }
                return (here.map { [$0] } ?? []) + (hasNilLast ? [] : [column.applying(.isNotNil)])
            }
            return [isMoreOrEqual(and: rest)] + (hasNilLast ? [isNil] : [])
        }
    }
}

extension QueryDefinition {
    /// The same with the last first.
    func lastFirst() throws -> QueryDefinition {
        var result = self
        result.orders = try (orders + [.byID(of: ClassMap.map(of: type))]).map(\.reversed)
        return result
    }
}

extension QueryDefinition.Order {
    /// The order that objects are in which are equal otherwise.
    fileprivate static func byID(of map: ClassMap) -> QueryDefinition.Order {
        let id = QueryExpression(.column(scope: 0, QueryPath(.place(map.properties.count))))
        return .init(expression: id, style: .init())
    }

    /// The same with the last first, nil too.
    fileprivate var reversed: QueryDefinition.Order {
        var style = style
        style.isDescending.toggle()
        style.hasNilLast = style.hasNilLast.map { !$0 }
        return .init(expression: expression, style: style)
    }

    /// The same with nil where SQLite has it, which an index is in the order of.
    fileprivate var withoutNilPlace: QueryDefinition.Order {
        var style = style
        style.hasNilLast = nil
        return QueryDefinition.Order(expression: expression, style: style)
    }
}

/// What an object in memory has at the end of a path.
private struct PathValue {
    private(set) var value = DatabaseValue.null
    /// Whether another object can have nil there.
    private(set) var acceptsNil = false

    init(_ path: QueryPath, of object: PersistentObject, _ map: ClassMap) throws {
        var holder: PersistentObject? = object
        var map = map
        let steps = try KeyPathChain.steps(of: path, in: map) { try ClassMap.map(of: $0) }
        for (index, step) in steps.enumerated() {
            guard case .property(let place) = try step.subject(in: map) else {
                if let holder { value = .integer(holder.rowID) }
                return
            }
            let property = map.properties[place]
            if property.codec.acceptsNull || property.isLink { acceptsNil = true }
            let found = try holder.flatMap { try PathValue.value(property, of: $0) }
            if index == steps.count - 1 {
                value = try PathValue.encoded(found, property, map)
            } else if case .scalar = property.shape {
                let part = try JSONPart(steps[(index + 1)...], of: property, in: map)
                acceptsNil = true
                value = try part.read(found).flatMap { try part.place.codec.encodeQueryArgument($0) } ?? .null
                return
            } else if let link = property.codec as? any LinkCodec {
                holder = found as? PersistentObject
                map = try ClassMap.map(of: link.target)
            }
        }
    }

    private static func value(_ property: Property, of object: PersistentObject) throws -> Any? {
        let found = ObjectState(object).value(of: property)
        if let problem = property.box(in: ObjectMemory.start(of: object))?.problem { throw problem }
        return found
    }

    private static func encoded(_ value: Any?, _ property: Property, _ map: ClassMap) throws -> DatabaseValue {
        if let object = value as? PersistentObject { return .integer(object.rowID) }
        // Nil at the end of a path can be the object's that is missing.
        guard let value else { return .null }
        do throws(ValueFault) {
            if let encoded = try property.codec.encodeQueryArgument(value) { return encoded }
        } catch { throw StoreError.value(error).at(className: map.name, property: property.name) }
        throw QueryError.notExpressible("\(map.name).\(property.name) has no order")
    }
}
