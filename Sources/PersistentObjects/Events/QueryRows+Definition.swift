internal import StoreEngine

// The rows of its class's table that a query can find, if its condition limits their ids.
extension QueryDefinition {
    /// Nil if other rows of the table can affect the result through links, collections or subqueries.
    func rows(of map: ClassMap) -> QueryRows? {
        let words = (condition?.words ?? []) + orders.flatMap(\.expression.words)
        let isPlain = words.allSatisfy { word in
            switch word {
            case .column(let scope, let path): scope == 0 && path.isOwn(of: map)
            case .argument: true
            // The columns that raw SQL reads are unknown here.
            case .operation(.matchesText), .operation(.raw): false
            case .operation: true
            case .enter, .enterQuery, .leaveQuery, .leaveFirst, .leave, .leaveAggregate: false
            }
        }
        guard isPlain, map.foreign == nil else { return nil }
        return QueryRows(table: Naming.folded(map.table), ids: ids(of: map), losesOnlyFound: offset == 0)
    }

    /// The ids to which the condition is limited, if it compares the id, or joins such a comparison with `&&`;
    /// otherwise nil.
    private func ids(of map: ClassMap) -> Set<Int64>? {
        guard let condition else { return nil }
        // The words are in postfix order. An `&&` at the end follows the condition's last part, which follows the other
        // parts.
        var words = condition.words[...]
        let arguments = condition.arguments
        while true {
            let isJoined = words.last == .operation(.and)
            let part = isJoined ? words.dropLast() : words
            if let length = QueryDefinition.lengthOfLastComparison(part) {
                let place = part.dropLast(length).count(where: { $0 == .argument })
                if let ids = QueryDefinition.ids(Array(part.suffix(length)), arguments, place, map) { return ids }
                guard isJoined, length < part.count else { return nil }
                words = part.dropLast(length)
            } else {
                return nil
            }
        }
    }

    /// The number of words in a property's comparison at the end; nil if the end is not such a comparison.
    private static func lengthOfLastComparison(_ words: ArraySlice<QueryExpression.Word>) -> Int? {
        guard case .operation(let operation)? = words.last else { return nil }
        let before = words.dropLast()
        switch operation {
        case .isNil, .isNotNil, .isTrue:
            guard case .column? = before.last else { return nil }
            return 2
        case .equal, .notEqual, .identical, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn:
            guard before.last == .argument, case .column? = before.dropLast().last else { return nil }
            return 3
        default: return nil
        }
    }

    /// The ids that a comparison specifies; nil if it does not compare the id.
    private static func ids(
        _ comparison: [QueryExpression.Word], _ arguments: [QueryExpression.Argument], _ place: Int, _ map: ClassMap
    ) -> Set<Int64>? {
        guard comparison.count == 3, case .column(_, let path) = comparison[0], path.isID(in: map),
            case .operation(let operation) = comparison[2], place < arguments.count,
            case .value(let value) = arguments[place]
        else { return nil }
        switch (operation, value) {
        case (.equal, .integer(let id)), (.identical, .integer(let id)): return [id]
        case (.isIn(decoded: false), .text(let list)):
            guard list.hasPrefix("["), list.hasSuffix("]") else { return nil }
            let parts = list.dropFirst().dropLast().split(separator: ",")
            let ids = parts.compactMap { Int64($0) }
            return ids.count == parts.count ? Set(ids) : nil
        default: return nil
        }
    }
}

extension QueryPath {
    /// Whether the path depends only on the object's row. An inverse does not, because its content is stored in other
    /// rows, possibly of the same table.
    fileprivate func isOwn(of map: ClassMap) -> Bool {
        guard steps.count == 1 else { return false }
        let ordinal: Int
        switch steps[0] {
        case .keyPath(let path):
            guard let subject = try? KeyPathResolver.subject(of: path, in: map) else { return false }
            guard case .property(let found) = subject else { return true }
            ordinal = found
        case .ordinal(let found): ordinal = found
        }
        guard ordinal < map.properties.count, case .inverse = map.properties[ordinal].shape else { return true }
        return false
    }

    /// Whether it is the id of an object of a class.
    fileprivate func isID(in map: ClassMap) -> Bool {
        switch steps[0] {
        case .keyPath(let path): (try? KeyPathResolver.subject(of: path, in: map)) == .id
        case .ordinal(let ordinal): ordinal == map.properties.count
        }
    }
}
