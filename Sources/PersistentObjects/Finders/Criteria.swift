internal import StoreEngine

/// Criteria text of the user's own: `WHERE last_name = ? ORDER BY age`. Arguments are bound, never spliced in.
struct Criteria {
    private let type: PersistentObject.Type
    private let text: RawSQL
    private let arguments: [Any?]

    init(_ type: PersistentObject.Type, _ text: String, _ arguments: [Any?]) {
        self.type = type
        self.text = RawSQL(text)
        self.arguments = arguments
    }

    /// What a statement is put together for, and from.
    struct Key: Hashable {
        let purpose: Purpose
        let text: String
    }

    enum Purpose { case select, count }

    func objects(limit: Int = .max) throws -> [PersistentObject] {
        try run(.select, { $0.select }, end: "") { session, space, statement in
            try session.fetch(space, statement, limit: limit)
        }
    }

    func count() throws -> Int {
        // Inside a subquery, so that LIMIT and GROUP BY count as they select; on a line of its own its end is not
        // part of a comment at the end of the criteria. Text that ends the subquery by itself is no criteria: it
        // cannot be prepared without it.
        try run(.count, { $0.countOfSelection }, end: "\n)") { _, space, statement in
            defer { statement.finish() }
            do { return try statement.step() ? Int(statement.integer(0)) : 0 } catch { throw space.located(error) }
        }
    }

    private func run<R>(
        _ purpose: Purpose, _ start: (ClassSQL) -> SQL, end: StaticString,
        _ body: (Session, ClassSpace, SQLiteStatement) throws -> R
    ) throws -> R {
        let session = try CurrentSession.session(for: type)
        return try session.enter {
            let space = try session.space(of: type)
            let sql: String
            let statement: SQLiteStatement
            do {
                sql = try space.criteria(Key(purpose: purpose, text: text.text)) { classSQL in
                    if purpose == .count { _ = try session.connection.prepare(whole(classSQL.selectID, "").text) }
                    return whole(start(classSQL), end)
                }
                statement = try session.connection.statement(sql)
            } catch { throw space.located(error) }
            do {
                try check(statement)
                statement.beginBinding()
                for (index, argument) in arguments.enumerated() {
                    try statement.bind(value(of: argument, index), at: Int32(index) + 1)
                }
            } catch {
                statement.finish()
                throw space.located(error, sql: sql)
            }
            return try body(session, space, statement)
        }
    }

    private func whole(_ start: SQL, _ end: StaticString) -> SQL {
        var sql = start
        sql.append(" ")
        sql.append(text)
        sql.append(end)
        return sql
    }

    private func check(_ statement: SQLiteStatement) throws(StoreError) {
        guard statement.isReadOnly else {
            throw StoreError(.invalidSQL, "criteria must not change anything", sql: statement.sql)
        }
        guard statement.placeholderCount == arguments.count else {
            throw StoreError(
                .invalidSQL,
                "the criteria have \(statement.placeholderCount) placeholders, \(arguments.count) arguments are given",
                sql: statement.sql)
        }
    }

    private func value(of argument: Any?, _ index: Int) throws -> DatabaseValue {
        switch argument {
        case nil: return .null
        case let text as String: return .text(text)
        case let number as Int: return .integer(Int64(number))
        default: break
        }
        guard let argument = OptionalValue.flattened(argument) else { return .null }
        guard case .success(let codec) = CodecFactory.codec(for: Swift.type(of: argument)),
            let value = try codec.encodeArgument(argument)
        else {
            throw StoreError(
                .misuse, "argument \(index + 1) is a \(Swift.type(of: argument)), which no column can hold")
        }
        return value
    }
}
