internal import StoreEngine

// Conditions on the elements of collections, of lists inside `Codable` values, and of strings, which are also
// collections.
extension ExpressionWriter {
    func isEmpty(_ isEmpty: Bool) throws -> QueryOperand {
        let operand = try pop()
        switch operand.content {
        case .list(let list): return list.isEmpty(isEmpty, dialect)
        case .sql, .conditions:
            guard operand.isText else {
                let count = dialect.byteCount(operand.sql)
                return operand.making(isEmpty ? "\(count) = 0" : "\(count) > 0")
            }
            // A string's length in SQL ends at the first NUL.
            return operand.making(isEmpty ? "\(operand.sql) = ''" : "\(operand.sql) <> ''")
        case .collection: break
        }
        let source = try source(operand)
        let exists: SQL = "EXISTS (SELECT 1 FROM \(source.rows(withElement: false)))"
        // If the owner is missing, its collection is not empty but absent.
        let owner: SQL = source.owner.mayBeMissing ? "\(source.ownerKey) IS NOT NULL AND " : ""
        return QueryOperand(isEmpty ? "\(owner)NOT \(exists)" : exists, mayBeNull: false, needed: source.owner.chain)
    }

    func elementCount() throws -> QueryOperand {
        let operand = try pop()
        switch operand.content {
        case .list(let list): return list.count(dialect)
        case .sql, .conditions:
            if operand.isText { try operand.check(.characterCount, dialect) }
            // SQL counts Unicode scalars, Swift counts characters.
            return operand.making(
                operand.isText ? dialect.text(.characterCount, operand.sql) : dialect.byteCount(operand.sql))
        case .collection:
            let rows = try source(operand).rows(withElement: false)
            return QueryOperand("(SELECT count(*) FROM \(rows))", mayBeNull: false)
        }
    }

    func containsElement() throws -> QueryOperand {
        let element = try pop()
        let operand = try pop()
        switch operand.content {
        case .list(let list):
            keep(JSONElementArgument(codec: list.element), for: element, comparedWith: nil)
            return list.contains(element.sql, dialect)
        case .sql, .conditions:
            stack += [operand, element]
            return try OperationSQL(dialect: dialect).write(.contains, pop)
        case .collection: break
        }
        let source = try source(operand)
        let isEqual = source.valueAcceptsNull ? dialect.isSame : "="
        let sql: SQL = """
            \(source.ownerKey) IN \
            (\(source.owners(withElement: false, where: "\(source.value) \(isEqual) \(element.sql)")))
            """
        return QueryOperand(sql, mayBeNull: true, needed: source.owner.chain)
    }
}
