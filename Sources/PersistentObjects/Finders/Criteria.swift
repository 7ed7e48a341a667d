internal import StoreEngine

/// Raw SQL criteria: `WHERE last_name = ? ORDER BY age`. Arguments are bound, never spliced in.
struct Criteria {
    private let type: PersistentObject.Type
    private let text: String
    private let arguments: [Any?]

    init(_ type: PersistentObject.Type, _ text: String, _ arguments: [Any?]) {
        self.type = type
        self.text = text
        self.arguments = arguments
    }

    func objects() throws -> [PersistentObject] {
        let objects = try run(.select, { $0.select }, end: "") { session, space, statement in
            try Fetch(session).fetch(space, statement)
        }
        return IDOrder.isSorted(objects) || CriteriaEnd(text).isOrdered ? objects : IDOrder.sorted(objects)
    }

    func firstObject() throws -> PersistentObject? {
        try run(.first, { $0.select }, end: "") { session, space, statement in
            try Fetch(session).fetch(space, statement, limit: 1).first
        }
    }

    func count() throws -> Int {
        // The criteria are in a subquery, so that LIMIT and GROUP BY affect the count as they affect a selection. The
        // subquery ends on a separate line, so that a comment at the end of the criteria does not contain it. Text that
        // closes the subquery is not valid criteria, because it cannot be prepared without the subquery.
        try run(.count, { $0.countOfSelection }, end: "\n) AS \"found\"") { _, space, statement in
            defer { statement.finish() }
            do { return try statement.step() ? Int(statement.integer(0)) : 0 } catch { throw space.located(error) }
        }
    }

    /// The call as the user wrote it, for statement profiles.
    private func finder(_ purpose: CriteriaKey.Purpose) -> StaticString {
        switch purpose {
        case .select: "findByCriteria"
        case .first: "findFirstByCriteria"
        case .count: "countByCriteria"
        }
    }

    private func run<R>(
        _ purpose: CriteriaKey.Purpose, _ start: (ClassSQL) -> SQL, end: SQL,
        _ body: (Session, ClassSpace, Statement) throws -> R
    ) throws -> R {
        let session = try CurrentSession.session(for: type)
        return try session.enterQuery(finder(purpose), of: type) {
            let space = try session.space(of: type)
            let arguments = StatementArguments(arguments, session, of: space.map)
            let scope = QueryDefinition.scope(of: type).map { QueryDefinition(type, $0) }
            try scope?.check()
            let scoped = try scope.map { try BoundQuery($0, space) }
            // The scope's arguments precede the criteria, whose placeholders are numbered after them.
            let scopeCount = scope?.arguments.count ?? 0
            let statement: Statement
            let values: [DatabaseValue]
            do {
                let whole: SQL
                (whole, values) = try arguments.resolved(text)
                let spliced = whole.text
                let key = CriteriaKey(purpose: purpose, text: spliced, scope: scope?.condition?.words ?? [])
                let sql = try space.criteria.plan(for: key) {
                    var classSQL = space.sql
                    if let source = scoped?.plan.source { classSQL.source = source }
                    let ordered = purpose == .count ? spliced : CriteriaEnd(spliced).ordered(always: purpose == .first)
                    let text = try CriteriaPaths(RawSQL(ordered), space.map, session).resolved()
                    if purpose == .count {
                        _ = try session.connection.prepare("\(classSQL.selectID) \(text)")
                    }
                    return "\(start(classSQL)) \(text)\(end)"
                }
                statement = try session.connection.userStatement(sql)
            } catch { throw space.located(error) }
            do {
                guard statement.isReadOnly else {
                    throw StoreError(
                        .invalidSQL, "Criteria must not change data. Nothing was changed", sql: statement.sql)
                }
                try arguments.checkCount(statement, "The criteria have", besides: scopeCount)
                try StatementArguments.bind(values, to: statement, after: scopeCount)
                try scoped?.bind(statement)
            } catch {
                statement.finish()
                throw space.located(error, sql: statement.sql)
            }
            return try body(session, space, statement)
        }
    }
}
