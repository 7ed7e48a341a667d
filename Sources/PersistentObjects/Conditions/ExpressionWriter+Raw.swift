internal import StoreEngine

// Conditions in the user's own SQL.
extension ExpressionWriter {
    /// The condition with its arguments, which stand on the stack.
    func raw(_ condition: RawCondition) throws -> QueryOperand {
        var arguments: [QueryOperand] = []
        for _ in condition.lists { arguments.append(try pop()) }
        arguments.reverse()
        // What is compared with an argument stands before it, as a rule: it says in which form the argument is bound.
        var last: QueryOperand?
        let sql = try condition.written(
            dialect, arguments.map(\.sql),
            column: { names in
                var value = try operand(names, condition)
                // A scaled number stays what the column has: whoever writes SQL sees that.
                if value.decimalScale == nil { value = value.seen(dialect) }
                last = value
                return value.sql
            },
            compared: { place in
                guard let last else { return }
                let kind: FormattedArgument.Kind =
                    switch condition.lists[place] {
                    case nil: .value
                    case true?: .taggedList
                    case false?: .plainList
                    }
                note(arguments[place], comparedWith: last, as: kind)
            })
        return QueryOperand(sql, mayBeNull: true)
    }

    /// The property that some names lead to, each by its name in Swift or by its column.
    private func operand(_ names: [String], _ condition: RawCondition) throws -> QueryOperand {
        guard let start = scopes[condition.scope]?.map else {
            throw fault(condition, "it refers to objects of another closure")
        }
        var names = names[...]
        if names.count > 1, let first = names.first, Naming.folded(first) == Naming.folded(start.table),
            start.named(first) == nil
        {
            names = names.dropFirst()
        }
        var map = start
        var steps: [QueryPath.Step] = []
        for (depth, name) in names.enumerated() {
            let isLast = depth == names.count - 1
            if let place = map.named(name) {
                steps.append(.place(place))
                if isLast { break }
                guard let link = map.properties[place].codec as? any LinkCodec, !map.properties[place].isOfSeveral
                else {
                    throw fault(condition, "\(name) is not a reference, so no property can follow it")
                }
                map = try classes.map(of: link.target)
            } else if Naming.folded(name) == "id", isLast {
                steps.append(.place(map.properties.count))
            } else {
                let near = NameSuggestions(map.properties.map(\.name) + ["id"]).nearest(to: name)?.names ?? []
                let advice = near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
                throw fault(condition, "\(map.name) has no property or column \(name)\(advice)")
            }
        }
        guard let first = steps.first else { throw fault(condition, "a name is missing") }
        let value = try column(QueryPath(first, Array(steps.dropFirst())), in: condition.scope)
        if case .collection = value.content {
            throw fault(condition, "\(names.joined(separator: ".")) is a collection. Use where { } to query it")
        }
        return value
    }

    private func fault(_ condition: RawCondition, _ message: String) -> QueryError {
        .notExpressible("In the condition \"\(condition.text)\": \(message)")
    }
}

extension ClassMap {
    /// The place of a property by its name in Swift, else by its column, whatever the case of its letters.
    fileprivate func named(_ name: String) -> Int? {
        if let place = place(of: name) { return place }
        let folded = Naming.folded(name)
        return properties.firstIndex { Naming.folded($0.name) == folded }
            ?? properties.firstIndex { $0.hasColumn && Naming.folded($0.column) == folded }
    }
}

extension Property {
    fileprivate var isOfSeveral: Bool {
        if let inverse = codec as? InverseCodec { return !inverse.isSingle }
        return codec is CollectionCodec
    }
}
