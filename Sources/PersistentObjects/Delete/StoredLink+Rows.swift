internal import StoreEngine

extension StoredLink {
    /// Calls `body` with each pair of linked rows whose given side is among the ids.
    func forEachPair(
        _ direction: Direction, _ ids: [Int64], _ session: SessionParts,
        _ body: (_ owner: Int64, _ target: Int64) -> Void
    ) throws {
        let statement = try prepared(direction == .fromOwners ? forward : backward, ids, session)
        defer { statement.finish() }
        do {
            while try statement.step() {
                if !statement.column(1).isNull { body(statement.integer(0), statement.integer(1)) }
            }
        } catch { throw located(error) }
    }

    /// Removes the links whose given side is among the ids.
    func clear(_ direction: Direction, _ ids: [Int64], _ session: SessionParts) throws {
        let statement = try prepared(direction == .fromOwners ? clearForward : clearBackward, ids, session)
        defer { statement.finish() }
        do { try statement.send() } catch { throw located(error) }
    }

    private func prepared(_ texts: Texts, _ ids: [Int64], _ session: SessionParts) throws -> Statement {
        do {
            let statement = try session.connection.statement(ids.count == 1 ? texts.one : texts.list)
            statement.beginBinding()
            if ids.count == 1 {
                try statement.bind(ids[0], at: 1)
            } else {
                try statement.bind(list: ids, at: 1)
            }
            return statement
        } catch { throw located(error) }
    }

    private func located(_ error: any Error) -> any Error {
        let found = (error as? ValueFault).map { StoreError.value($0) } ?? error
        guard var error = found as? StoreError else { return found }
        if let failure = error.constraint, failure.kind == .notNull, let column = failure.columns.first {
            error.message =
                "The deletion would set the property to nil, but the column \(failure.table ?? "").\(column) must not be "
                + "NULL. Nothing was deleted. Delete the objects that refer to it, too, or change their references"
        }
        return error.at(className: map.name, property: property.name)
    }
}

extension DeletionRules {
    /// The rows of a hierarchy, among the given rows, that are in collections that own their elements.
    func owned(_ ids: Set<Int64>, _ node: Int, _ session: SessionParts) throws -> Set<Int64> {
        var owned: Set<Int64> = []
        for rule in nodes.flatMap(\.cascades)
        where rule.direction == .fromOwners && rule.link.isCollection && rule.link.target == node {
            try rule.link.forEachPair(.fromTargets, ids.sorted(), session) { _, target in owned.insert(target) }
        }
        return owned
    }
}
