internal import StoreEngine

// From the objects to save to the plan of the rows to write.
extension Save {
    /// Calls hooks, validates, and returns the work to write.
    ///
    /// - Parameters:
    ///   - sides: Records the changes to the other sides of inverses.
    ///   - roots: Returns the objects to save; called again after hooks ran.
    func prepareSave(
        _ options: SaveOptions, _ sides: OtherSides, _ roots: () -> [PersistentObject]
    ) throws -> SaveWork {
        var work = try SaveWork(roots(), options, session, sides)
        guard !work.walk.hooked.isEmpty else {
            try work.finish(session)
            return work
        }
        var before = BeforeSave(session, options)
        return try before.run(work) { try SaveWork(roots(), options, session, sides) }
    }

    /// Sets the dates of one object that `save` inserts, and restores them if it throws.
    @inline(__always)
    func stamping<R>(_ object: PersistentObject, _ map: ClassMap, _ save: () throws -> R) throws -> R {
        guard let dates = map.timestamps else { return try save() }
        var times = Timestamps()
        times.stamp(inserted: object, dates)
        do {
            let result = try save()
            didMark(object, map, isNew: true)
            return result
        } catch {
            times.revert()
            throw error
        }
    }

    /// Notifies observers of the dates and the version that a save set in an object.
    func didMark(_ object: PersistentObject, _ map: ClassMap, isNew: Bool) {
        guard map.observed != nil else { return }
        if isNew, let created = map.timestamps?.created { news.recordChange(created.ordinal, of: object, map) }
        if let updated = map.timestamps?.updated { news.recordChange(updated.ordinal, of: object, map) }
        if !isNew, let version = (try? map.versionOrdinal()).flatMap({ $0 }) {
            news.recordChange(version, of: object, map)
        }
    }

    /// The problems for which a save of the object would be refused.
    func problems(of object: PersistentObject) throws -> [StoreError.Problem] {
        let space = try session.space(of: object)
        guard space.map.hooks.contains(.validate), space.map.isToBeSaved(object) else { return [] }
        return try session.writing.asSaving {
            var validation = Validation(session)
            try validation.validate(object, space.map)
            try validation.answer(SavePlan(SaveOptions()))
            return validation.problems
        }
    }
}
