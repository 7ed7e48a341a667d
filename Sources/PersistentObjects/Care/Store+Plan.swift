internal import StoreEngine

// Running plans. What they encrypt must not remain in free pages.
extension Store {
    /// Runs a plan in one transaction, including changes that lose data, because the plan showed them.
    ///
    /// Outdated indexes of a server are replaced after the transaction, and are not part of the progress. If the plan
    /// encrypts values, free pages are released and the log is emptied afterwards, because both still contain the
    /// values. If other sessions read or write all the time, this is reported (`onNote`) and left to the next `vacuum()`
    /// and `checkpoint()`. See ``SchemaPlan/vacuums``.
    ///
    /// ```swift
    /// try store.run(plan) { progress in print(progress.change, progress.fractionCompleted) }
    /// ```
    ///
    /// - Throws: `SchemaError.planOutdated` if tables changed after the plan was computed; otherwise the errors of
    ///   `prepare`.
    public func run(_ plan: SchemaPlan, progress: ((SchemaProgress) throws -> Void)? = nil) throws {
        try withSession { session in try session.enter { try TablePreparation(session).run(plan, progress: progress) } }
        guard plan.vacuums, plan.encryptsValues, engine.capabilities.contains(.upkeep) else { return }
        do {
            try vacuum()
            guard try checkpoint().isComplete else {
                return PlainRemains.report("other sessions are reading", self)
            }
            try withSession { session in try session.enter { try PlainRemains(session).forget() } }
        } catch let error as StoreError where [.busy, .diskFull, .misuse].contains(error.code) {
            PlainRemains.report(error.message, self)
        }
    }
}
