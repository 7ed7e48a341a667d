internal import StoreEngine

/// The rows of a query after a given object, in the query's order.
struct Keyset {
    private var definition: QueryDefinition
    private let map: ClassMap

    init(_ definition: QueryDefinition) throws {
        guard definition.limit == nil, definition.offset == 0 else {
            throw QueryError.notExpressible(
                "A query with a limit or offset has no objects after or before an object. Remove the limit and "
                    + "the offset")
        }
        guard !definition.isRanked else {
            throw QueryError.notExpressible(
                "Objects after or before an object require an order by stored properties. Add such an order to "
                    + "the search")
        }
        self.definition = definition
        map = try ClassMap.map(of: definition.type)
        self.definition.orders.append(.byID(of: map))
    }

    /// The keyset in reverse order.
    func reversed() -> Keyset {
        var result = self
        result.definition.orders = definition.orders.map(\.reversed)
        return result
    }

    /// The queries for the rows after an object, to be run in sequence. There are two if the order continues from rows
    /// with a value in the first order to rows without, or vice versa. As separate queries, each can start from an
    /// index.
    ///
    /// A row is after the object if it is greater in the first order, or equal in it and greater in the second, and so
    /// on.
    func definitions(after object: PersistentObject) throws -> [QueryDefinition] {
        guard object.lifecycle != .new else {
            throw StoreError(
                .misuse, "The object was never saved, so it has no position in the results. Save it first",
                className: map.name)
        }
        var places = try definition.orders.map { try Place($0, object, map) }
        let first = places[0]
        guard first.acceptsNil else { return [adding(Self.isAfter(places[...]))] }
        var query = self
        if first.hasNil {
            // These rows are equal in the first order, so an index can continue with the second order, if it is read in
            // that order's direction.
            query.definition.orders[0] = definition.orders[0].withoutNilPlace(
                isDescending: definition.orders[1].style.isDescending)
            let here = query.adding(first.saying(.isNil).applying(.and, Self.isAfter(places.dropFirst())))
            guard !first.hasNilLast else { return [here] }
            query.definition.orders[0] = definition.orders[0].withoutNilPlace()
            return [here, query.adding(first.saying(.isNotNil))]
        }
        // The position of nil does not matter among rows that all have a value.
        query.definition.orders[0] = definition.orders[0].withoutNilPlace()
        places[0].acceptsNil = false
        let here = query.adding(Self.isAfter(places[...]))
        return first.hasNilLast ? [here, query.adding(first.saying(.isNil))] : [here]
    }

    /// The condition that a row is after the object in the first order, or equal in it and after in the remaining
    /// orders. It is appended in one pass, because it is built again for each page.
    private static func isAfter(_ places: ArraySlice<Place>) -> QueryExpression {
        // An index can start from one range of the first order. The other orders use as few comparisons as possible.
        func isRange(_ index: Int) -> Bool { index == places.startIndex && places[index].isOneRange }
        var condition = QueryExpression()
        condition.reserveCapacity(words: 10 * places.count, arguments: 2 * places.count)
        for index in places.indices.dropLast() {
            if isRange(index) {
                places[index].appendIsMoreOrEqual(to: &condition)
                // Within the range, a row that is not greater is equal.
                places[index].appendIsMore(to: &condition)
            } else {
                places[index].appendIsAfter(to: &condition)
                places[index].appendIsEqual(to: &condition)
            }
        }
        places.last?.appendIsAfter(to: &condition)
        for index in places.indices.dropLast().reversed() {
            for operation: QueryOperation in isRange(index) ? [.or, .and] : [.and, .or] {
                condition.append(.operation(operation))
            }
        }
        return condition
    }

    private func adding(_ condition: QueryExpression) -> QueryDefinition {
        var result = definition
        result.add(condition)
        return result
    }

    /// An object's place in one order.
    private struct Place {
        private let column: [QueryExpression.Word]
        private let argument: QueryExpression.Argument
        let hasNil: Bool
        private let style: QueryDefinition.OrderStyle
        /// Whether another row can have nil.
        var acceptsNil: Bool

        init(_ order: QueryDefinition.Order, _ object: PersistentObject, _ map: ClassMap) throws {
            let words = order.expression.words
            guard words.count == 1, case .column(0, let path) = words[0] else {
                throw QueryError.notExpressible(
                    "Objects after or before an object require an order by stored properties, but this order uses "
                        + "an expression. Order by stored properties")
            }
            let found = try PathValue(path, of: object, map)
            column = order.style.ignoresCase ? words + [.operation(.ignoringCase)] : words
            argument = .value(found.value)
            hasNil = found.value == .null
            style = order.style
            acceptsNil = found.acceptsNil
        }

        var hasNilLast: Bool { style.hasNilLast ?? style.isDescending }
        /// Whether the rows after it are contiguous in an index.
        var isOneRange: Bool { !hasNil && !(acceptsNil && hasNilLast) }

        /// A condition that applies an operation to the column.
        func saying(_ operation: QueryOperation) -> QueryExpression {
            var condition = QueryExpression()
            append(operation, to: &condition)
            return condition
        }

        func appendIsMoreOrEqual(to condition: inout QueryExpression) {
            appendComparison(style.isDescending ? .lessOrEqual : .greaterOrEqual, to: &condition)
        }

        func appendIsMore(to condition: inout QueryExpression) {
            appendComparison(style.isDescending ? .less : .greater, to: &condition)
        }

        func appendIsEqual(to condition: inout QueryExpression) {
            if hasNil { append(.isNil, to: &condition) } else { appendComparison(.equal, to: &condition) }
        }

        func appendIsAfter(to condition: inout QueryExpression) {
            guard !hasNil else {
                if hasNilLast { return condition.append(.operation(.never)) }
                return append(.isNotNil, to: &condition)
            }
            appendIsMore(to: &condition)
            guard !isOneRange else { return }
            append(.isNil, to: &condition)
            condition.append(.operation(.or))
        }

        private func append(_ operation: QueryOperation, to condition: inout QueryExpression) {
            for word in column { condition.append(word) }
            condition.append(.operation(operation))
        }

        private func appendComparison(_ operation: QueryOperation, to condition: inout QueryExpression) {
            for word in column { condition.append(word) }
            condition.append(argument)
            // A server compares folded strings.
            if style.ignoresCase { condition.append(.operation(.ignoringCase)) }
            condition.append(.operation(operation))
        }
    }
}

extension QueryDefinition {
    /// The query in reverse order.
    func lastFirst() throws -> QueryDefinition {
        var result = self
        result.orders = try (orders + [.byID(of: ClassMap.map(of: type))]).map(\.reversed)
        return result
    }
}

extension QueryDefinition.Order {
    /// The order by id, for objects that are equal in all other orders.
    fileprivate static func byID(of map: ClassMap) -> QueryDefinition.Order {
        let id = QueryExpression(.column(scope: 0, QueryPath(.ordinal(map.properties.count))))
        return .init(expression: id, style: .init())
    }

    /// The order reversed, including the position of nil.
    fileprivate var reversed: QueryDefinition.Order {
        var style = style
        style.isDescending.toggle()
        style.hasNilLast = style.hasNilLast.map { !$0 }
        return .init(expression: expression, style: style)
    }

    /// The order with the default position of nil, because indexes have that order.
    ///
    /// - Parameter isDescending: The direction; nil for the order's own.
    fileprivate func withoutNilPlace(isDescending: Bool? = nil) -> QueryDefinition.Order {
        var style = style
        style.hasNilLast = nil
        style.isDescending = isDescending ?? style.isDescending
        return QueryDefinition.Order(expression: expression, style: style)
    }
}

/// The value at the end of a path from an object in memory.
private struct PathValue {
    private(set) var value = DatabaseValue.null
    /// Whether the value can be nil for other objects.
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
        if property.isLink, let object = value as? PersistentObject { return .integer(object.rowID) }
        // The value is nil too if an object on the path is missing.
        guard let value else { return .null }
        do throws(ValueFault) {
            if let encoded = try property.codec.encodeQueryArgument(value) { return encoded }
        } catch { throw StoreError.value(error).at(className: map.name, property: property.name) }
        throw QueryError.notExpressible("\(map.name).\(property.name) has no order")
    }
}
