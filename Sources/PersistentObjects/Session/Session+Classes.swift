package import StoreEngine

// The classes that are used in the session; SQL compilers look up their tables here.
extension Session: ClassDirectory {
    /// The identity map and statements of a class, its table made or updated.
    @inline(__always)
    package func space(of type: PersistentObject.Type) throws -> ClassSpace {
        try classes.last(type) ?? classes.lookUp(type, self)
    }

    /// The space of the class that an object is of.
    func space(of object: PersistentObject) throws -> ClassSpace { try space(of: type(of: object)) }

    package var dialect: Dialect { connection.dialect }

    func map(of type: PersistentObject.Type) throws -> ClassMap { try space(of: type).map }

    func rows(of type: PersistentObject.Type, as alias: String) throws -> SQL {
        try space(of: type).sql.source(as: alias)
    }

    /// A subclass by its name that was used in the store, which need not be found by its name.
    package func usedSubclass(named name: String, of type: PersistentObject.Type) -> PersistentObject.Type? {
        guard let map = try? ClassMap.map(of: type) else { return nil }
        return store.classes.relatives(of: map).first { $0.name == name && $0.derives(from: map) }?.type
    }

    func names(of map: ClassMap) -> [String] {
        let classes = store.classes.relatives(of: map).filter { $0.derives(from: map) }
        return Set((classes + [map]).flatMap { [$0.name] + $0.type.formerNames }).sorted()
    }
}
