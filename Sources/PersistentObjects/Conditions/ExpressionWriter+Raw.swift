internal import StoreEngine

// Conditions in raw SQL.
extension ExpressionWriter {
    /// The condition with its arguments, which are on the stack.
    func raw(_ condition: RawCondition) throws -> QueryOperand {
        var arguments: [QueryOperand] = []
        for _ in condition.lists { arguments.append(try pop()) }
        arguments.reverse()
        // The operand that an argument is compared with usually precedes it. That operand determines the form in which
        // the argument is bound.
        var last: QueryOperand?
        let sql = try condition.written(
            dialect, arguments.map(\.sql),
            column: { names in
                var value = try operand(names, condition)
                // A scaled number keeps its stored form, because raw SQL sees the stored value.
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
                recordConversion(arguments[place], comparedWith: last, as: kind)
            })
        return QueryOperand(sql, mayBeNull: true)
    }

    /// The property that a path of names leads to. Each name is a Swift name or a column name.
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
        let path: NamePath
        do {
            path = try NamePath(names, from: start) { property, _ in
                guard let link = property.codec as? any LinkCodec, !property.isOfSeveral else { return nil }
                return try classes.map(of: link.target)
            }
        } catch NamePath.Fault.notAnObject(let read) {
            throw fault(condition, "\(read.last ?? "") is not a reference, so no property can follow it")
        } catch NamePath.Fault.unknown(let read, let map, let advice) {
            throw fault(condition, "\(map.name) has no property or column \(read.last ?? "")\(advice)")
        }
        let steps = path.steps.map { QueryPath.Step.ordinal($0.ordinal) }
        guard let first = steps.first else { throw fault(condition, "a name is missing") }
        let value = try column(QueryPath(first, Array(steps.dropFirst())), in: condition.scope)
        try value.checkIsPlain("use it in raw SQL")
        if case .collection = value.content {
            throw fault(condition, "\(names.joined(separator: ".")) is a collection, which only where { } supports")
        }
        return value
    }

    private func fault(_ condition: RawCondition, _ message: String) -> QueryError {
        .notExpressible("In the condition \"\(condition.text)\": \(message)")
    }
}

extension Property {
    fileprivate var isOfSeveral: Bool {
        if let inverse = codec as? InverseCodec { return !inverse.isSingle }
        return codec is CollectionCodec
    }
}
