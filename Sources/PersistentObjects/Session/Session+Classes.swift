package import StoreEngine

// The classes that are used in the session; SQL compilers look up their tables here.
extension Session: ClassDirectory {
    /// The identity map and statements of a class; creates or updates its table first.
    @inline(__always)
    package func space(of type: PersistentObject.Type) throws -> ClassSpace {
        try classes.last(type) ?? classes.lookUp(type, self)
    }

    /// The space of an object's class.
    func space(of object: PersistentObject) throws -> ClassSpace { try space(of: type(of: object)) }

    package var dialect: Dialect { connection.dialect }

    func map(of type: PersistentObject.Type) throws -> ClassMap { try space(of: type).map }

    func rows(of type: PersistentObject.Type, as alias: String) throws -> SQL {
        try space(of: type).sql.source(as: alias)
    }

    /// The subclass with this name among the classes that were used in the store, because not every class can be found
    /// by name.
    package func usedSubclass(named name: String, of type: PersistentObject.Type) -> PersistentObject.Type? {
        guard let map = try? ClassMap.map(of: type) else { return nil }
        return store.classes.relatives(of: map).first { $0.name == name && $0.derives(from: map) }?.type
    }

    func names(of map: ClassMap) -> [String] {
        let classes = store.classes.relatives(of: map).filter { $0.derives(from: map) }
        return Set((classes + [map]).flatMap { [$0.name] + $0.type.formerNames }).sortedUnspecialized()
    }
}

extension Store {
    /// The class of the program with a name: a class that the store has used, or the only class with that name.
    package func programClass(named name: String) -> PersistentObject.Type? {
        classes.preparedMaps.first { $0.name == name }?.type
            ?? ClassResolver.subclass(named: name, of: PersistentObject.self)
    }
}
