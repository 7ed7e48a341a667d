internal import StoreEngine

extension ObjectState {
    /// Saves the object as it is saved best: alone, if its class leads to no other, or with all that it reaches.
    func save() throws {
        guard object.lifecycle == .saved,
            let keeper = ObjectMemory.start(of: object).header.keeper
        else {
            let session = try session()
            return try session.enterToSave(of: type(of: object)) { try session.saveNew(object) }
        }
        // Most saves of a saved object find nothing to do: this way to that answer retains nothing but the session.
        try keeper.with { keeper in
            let identity = ObjectMemory.exactly(keeper, as: IdentityMap.self)
            guard let session = identity.session else { _ = try self.session(); return }
            try session.enterToSave(of: type(of: object)) {
                guard identity.classMap.isUpdatedAlone else { return try session.saveAll([object]) }
                let changed = identity.changes(of: object)
                if !changed.isEmpty { try session.saveEdits(changed, of: object) }
            }
        }
    }

    func save(_ options: SaveOptions) throws {
        let session = try session()
        try session.enterToSave(of: type(of: object)) { try session.saveAll([object], options) }
    }

    func problems() throws -> [StoreError.Problem] {
        if let refusal = SavePlan.refusal(object) { throw refusal }
        let session = try session()
        return try session.enter(of: type(of: object)) { try session.problems(of: object) }
    }
}
