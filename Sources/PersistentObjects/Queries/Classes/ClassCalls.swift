// Classes: the queries and lookups that begin at a class. It knows queries, and must not know how they run.

internal import StoreEngine

/// The plain calls on a class, without generic types. All types are static here, so that finding an object in memory
/// looks up no type at run time.
enum ClassCalls {
    @inline(__always)
    private static func enter<R>(
        _ type: PersistentObject.Type, _ name: StaticString, _ body: (Session, ClassSpace) throws -> R
    ) throws -> R {
        let session = try CurrentSession.session(for: type)
        return try session.enter(name, of: type) { try body(session, try session.space(of: type)) }
    }

    @inline(__always)
    private static func run<R>(
        _ type: PersistentObject.Type, _ name: StaticString, _ body: (Session, ClassSpace) throws -> R
    ) throws -> R {
        let session = try CurrentSession.session(for: type)
        return try session.enterQuery(name, of: type) { try body(session, try session.space(of: type)) }
    }

    static func find(_ type: PersistentObject.Type, _ id: Int64) throws -> PersistentObject? {
        let session = try CurrentSession.session(for: type)
        return try session.enter("find(_:)", of: type) {
            if let rows = session.classes.knownRows(of: type), let known = rows.with({ $0.object(for: id) }) {
                return known
            }
            return try look(type, id, session)
        }
    }

    /// Finds an object that is not in memory, or that must be read again.
    ///
    /// It is a separate function so that the optimizer inlines the common case.
    @inline(never)
    private static func look(
        _ type: PersistentObject.Type, _ id: Int64, _ session: Session
    ) throws -> PersistentObject? {
        let isMissing = session.classes.knownRows(of: type) != nil
        let space = try session.space(of: type)
        return isMissing ? try Fetch(session).findInFile(space, id) : try Fetch(session).find(space, id)
    }

    static func find(_ type: PersistentObject.Type, named id: any ObjectIdentifying) throws -> PersistentObject? {
        try enter(type, "find(_:)") { session, space in try Fetch(session).find(space, named: id) }
    }

    static func find(_ type: PersistentObject.Type, key: String) throws -> PersistentObject? {
        try run(type, "find(_:)") { session, space in try Fetch(session).find(space, key: key) }
    }

    static func find(_ type: PersistentObject.Type, primaryKey values: [Any?]) throws -> PersistentObject? {
        try run(type, "find(key:)") { session, space in try Fetch(session).find(space, primaryKey: values) }
    }

    static func find(_ type: PersistentObject.Type, keys: [String]) throws -> [PersistentObject] {
        try run(type, "find(keys:)") { session, space in try Fetch(session).find(space, keys: keys) }
    }

    static func find(_ type: PersistentObject.Type, _ ids: [Int64]) throws -> [PersistentObject] {
        try enter(type, "find(_:)") { session, space in try Fetch(session).find(space, ids) }
    }

    static func all(_ type: PersistentObject.Type) throws -> [PersistentObject] {
        try run(type, "all()") { session, space in
            if let scoped = try scoped(space) { return try scoped.objects() }
            return try Fetch(session).fetchAll(space)
        }
    }

    static func first(_ type: PersistentObject.Type) throws -> PersistentObject? {
        try run(type, "first()") { session, space in
            if let scoped = try scoped(space) { return try scoped.first() }
            return try Fetch(session).fetch(space, try session.connection.statement(space.text(.selectFirst))).first
        }
    }

    static func count(_ type: PersistentObject.Type) throws -> Int {
        try run(type, "count()") { session, space in
            if let scoped = try scoped(space) { return try scoped.count() }
            return Int(try space.integers(space.text(.count)).first ?? 0)
        }
    }

    static func deleteAll(_ type: PersistentObject.Type) throws -> Int {
        try run(type, "deleteAll()") { session, space in
            if let scoped = try scoped(space) { return try scoped.delete() }
            return try Delete(session).deleteEverything(space)
        }
    }

    /// The query for all objects of a class with a default scope; nil for other classes.
    private static func scoped(_ space: ClassSpace) throws -> BoundQuery? {
        guard let scope = QueryDefinition.scope(of: space.map.type) else { return nil }
        let definition = QueryDefinition(space.map.type, scope)
        try definition.check()
        return try BoundQuery(definition, space)
    }
}
