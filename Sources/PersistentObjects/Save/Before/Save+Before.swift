internal import StoreEngine

// From objects that are to be saved to a plan of what is to be written.
extension Save {
    /// What there is to write, after the hooks and the validation of classes that have them.
    ///
    /// - Parameters:
    ///   - sides: Notes what it sets on the other sides of inverses.
    ///   - roots: The objects to be saved; asked again after hooks were called.
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

    /// The same for one object that is inserted.
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
            times.takeBack()
            throw error
        }
    }

    /// A save has set the date and version that the store keeps in an object: observers are told.
    func didMark(_ object: PersistentObject, _ map: ClassMap, isNew: Bool) {
        guard map.observed != nil else { return }
        if isNew, let created = map.timestamps?.created { news.recordChange(created.place, of: object, map) }
        if let updated = map.timestamps?.updated { news.recordChange(updated.place, of: object, map) }
        if !isNew, let version = (try? map.versionPlace()).flatMap({ $0 }) {
            news.recordChange(version, of: object, map)
        }
    }

    /// The problems for which a save of the object would be refused.
    func problems(of object: PersistentObject) throws -> [StoreError.Problem] {
        let space = try session.space(of: object)
        guard space.map.hooks.contains(.validate), space.map.isToBeSaved(object) else { return [] }
        return try session.writing.asSaving {
            var validation = Validation(session)
            try validation.ask(object, space.map)
            try validation.answer(SavePlan(SaveOptions()))
            return validation.problems
        }
    }
}
