// Finding objects.
extension Persistent {
    private static func enter<R>(_ body: (Session, ClassSpace) throws -> R) throws -> R {
        let type = ObjectMemory.objectClass(self)
        let session = try CurrentSession.session(for: type)
        return try session.enter { try body(session, try session.space(of: type)) }
    }

    /// The object with an id, nil where there is none.
    ///
    /// - Complexity: no SQL where the object is in memory, else one SELECT by
    ///   primary key.
    public static func find(_ id: Int64, isolation: isolated (any Actor)? = #isolation) throws -> Self? {
        try enter { session, space in
            try session.find(space, id).map { ObjectMemory.cast($0, to: Self.self) }
        }
    }

    /// The object that an id from elsewhere names, nil where there is none.
    public static func find(_ id: PersistentID<Self>, isolation: isolated (any Actor)? = #isolation) throws -> Self? {
        try find(id.value, isolation: isolation)
    }

    /// The objects with some ids, in the order asked; those missing are left out.
    ///
    /// - Complexity: one SELECT for all that are not in memory.
    public static func find(
        _ ids: some Sequence<Int64>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [Self] {
        try enter { session, space in try session.find(space, Array(ids)).cast(to: Self.self) }
    }

    /// All objects of the class, by id.
    public static func all(isolation: isolated (any Actor)? = #isolation) throws -> [Self] {
        try enter { session, space in
            try session.fetch(space, try session.connection.statement(space.selectAllText)).cast(to: Self.self)
        }
    }

    /// The object with the least id, nil where there is none.
    public static func first(isolation: isolated (any Actor)? = #isolation) throws -> Self? {
        try enter { session, space in
            try session.fetch(space, try session.connection.statement(space.selectFirstText)).first
                .map { ObjectMemory.cast($0, to: Self.self) }
        }
    }

    /// How many objects of the class are stored.
    public static func count(isolation: isolated (any Actor)? = #isolation) throws -> Int {
        try enter { session, space in Int(try session.integer(space, space.countText)) }
    }

    /// Deletes all objects of the class; the answer is how many.
    @discardableResult
    public static func deleteAll(isolation: isolated (any Actor)? = #isolation) throws -> Int {
        try enter { session, space in try session.deleteEverything(space) }
    }
}
