internal import StoreEngine

// Encrypted properties in conditions. Only equality can be compared, by the hashes of searchable properties.
extension QueryOperand {
    /// Throws if the operand is an encrypted property.
    func checkIsPlain(_ operation: String) throws {
        guard let sealed else { return }
        throw QueryError.notExpressible(
            "\(sealed.name) is encrypted, so a query cannot \(operation). "
                + (sealed.sealing.isSearchable
                    ? "It can only compare with ==, != and isIn. Compare the values in Swift"
                    : "Compare the values in Swift, or write @Encrypted(.searchable) for ==, != and isIn"))
    }

    /// The column of an encrypted property, for a test for nil.
    func checkedForNil() throws -> QueryOperand {
        if let sealed, !sealed.sealing.isSearchable { try checkIsPlain("test it for nil") }
        return self
    }

    /// Two values that are compared for equality, as hashes if one of them is encrypted.
    static func comparable(
        _ first: QueryOperand, _ second: QueryOperand
    ) throws -> (first: QueryOperand, second: QueryOperand) {
        if first.sealed == nil && second.sealed == nil { return (first, second) }
        for operand in [first, second] where operand.sealed?.sealing.isSearchable == false {
            try operand.checkIsPlain("compare it")
        }
        if let one = first.sealed, let other = second.sealed {
            guard one.sealing.context == other.sealing.context else {
                throw QueryError.notExpressible(
                    "\(one.name) and \(other.name) are encrypted with different keys, so a query cannot compare them. "
                        + "Compare the values in Swift")
            }
            return (try first.hashed(), try second.hashed())
        }
        let (sealed, other) = first.sealed == nil ? (second, first) : (first, second)
        guard other.placeholder != nil, let sealing = sealed.sealed?.sealing else {
            try sealed.checkIsPlain("compare it with an expression")
            return (first, second)
        }
        let value = QueryOperand(sealing.hashed(other.sql), mayBeNull: other.mayBeNull)
        return first.sealed == nil ? (value, try sealed.hashed()) : (try sealed.hashed(), value)
    }

    /// The hash in the column.
    func hashed() throws -> QueryOperand {
        if sealed?.sealing.isSearchable == false { try checkIsPlain("compare it") }
        return QueryOperand(PropertySealing.hash(in: sql), mayBeNull: mayBeNull, needed: needed)
    }

    /// The condition that the hash is among the hashes of a list.
    func isAmongHashes(of list: SQL, _ encoding: ListEncoding, _ dialect: Dialect) throws -> QueryOperand {
        let hash = try hashed()
        guard let sealing = sealed?.sealing else { return hash }
        guard dialect.callsFunctionsOfRows else {
            return hash.making("\(hash.sql) \(dialect.isInList(sealing.hashed(list), encoding))")
        }
        let rows: SQL =
            switch encoding {
            case .plain: "SELECT \(sealing.hashed("\(name: "value")")) FROM \(dialect.listTable(list, "list"))"
            case .tagged:
                "SELECT \(sealing.hashed("po_value(\(name: "value"))")) FROM \(dialect.listTable(list, "list"))"
            }
        return hash.making("\(hash.sql) IN (\(rows))")
    }
}

extension QueryOperation {
    /// What a query would do with a value, for messages.
    var spelling: String {
        switch self {
        case .less, .lessOrEqual, .greater, .greaterOrEqual: "compare it with <, <=, > or >="
        case .between: "compare it with a range"
        case .glob: "use like with it"
        case .regexp, .anchoredRegexp: "match it with a pattern"
        case .contains: "use contains with it"
        case .hasPrefix: "use hasPrefix with it"
        case .hasSuffix: "use hasSuffix with it"
        case .folded, .ignoringCase, .unaccented: "compare it without its case or accents"
        case .raw: "use it in raw SQL"
        case .groupAggregate, .elementAggregate: "calculate sums and other aggregates of it"
        default: "calculate with it"
        }
    }
}
