@_spi(Locks) internal import StoreEngine

extension Store {
    /// Runs a step, if the file has not recorded it.
    @discardableResult
    func run(
        _ step: MigrationStep, progress: ((SchemaProgress) throws -> Void)?, _ body: (Session) throws -> Void
    ) throws -> Bool {
        let before = migrations.withLock { registered in
            registered.firstIndex(of: step.name).map { Array(registered[..<$0]) } ?? registered
        }
        let isDone = try withSession { session in
            guard try !session.enter("migrate", { try MigrationLog(session.connection).hasSeen(step, after: before) })
            else {
                return false
            }
            session.writing.migration = (step.name, progress)
            defer { session.writing.migration = nil }
            return try session.runTransaction(.alone) {
                // Another process may have run the step while this process waited for the write lock.
                let log = try session.enter { try MigrationLog(session.connection) }
                guard try !log.hasSeen(step, after: before) else { return false }
                for type in step.classes {
                    let map = try ClassMap.map(of: type)
                    guard !classes.isPrepared(map, for: session) else {
                        throw SchemaError.migrationTooLate(name: step.name, className: map.name)
                    }
                }
                try body(session)
                try session.enter { try log.record(step) }
                return true
            }
        }
        migrations.withLock { registered in if !registered.contains(step.name) { registered.append(step.name) } }
        return isDone
    }
}
