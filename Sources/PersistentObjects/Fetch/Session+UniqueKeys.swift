internal import StoreEngine

// What finders ask: where the object is in memory and its unique value says all, without SQL.
extension Session {
    func objects(_ space: ClassSpace, _ question: Question) throws -> [PersistentObject] {
        try throughMemory(space, question) { try select(space, question) }
    }

    func objects(_ space: ClassSpace, _ question: Question, limit: Int) throws -> [PersistentObject] {
        try throughMemory(space, question) { try select(space, question, limit: limit) }
    }

    func onlyObject(_ space: ClassSpace, _ question: Question) throws -> PersistentObject {
        let found = try throughMemory(space, question) { [try selectOnly(space, question)] }
        return found[0]
    }

    @inline(__always)
    private func throughMemory(
        _ space: ClassSpace, _ question: Question, _ fetch: () throws -> [PersistentObject]
    ) throws -> [PersistentObject] {
        guard let place = question.plan.uniquePlace, let key = question.key, key != .null else { return try fetch() }
        if let known = space.knownObject(place, key) { return [known] }
        let found = try fetch()
        for object in found { space.noteKeys(of: object) }
        return found
    }
}
