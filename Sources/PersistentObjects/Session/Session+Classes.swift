internal import StoreEngine

// The classes that are used in the session; SQL compilers look up their tables here.
extension Session: ClassDirectory {
    /// The identity map and statements of a class, its table made or updated.
    @inline(__always)
    func space(of type: PersistentObject.Type) throws -> ClassSpace {
        try classes.last(type) ?? classes.lookUp(type, self)
    }

    /// The space of the class that an object is of.
    func space(of object: PersistentObject) throws -> ClassSpace { try space(of: type(of: object)) }

    var dialect: Dialect { connection.dialect }

    func map(of type: PersistentObject.Type) throws -> ClassMap { try space(of: type).map }

    func rows(of type: PersistentObject.Type, as alias: String) throws -> SQL {
        try space(of: type).sql.source(as: alias)
    }

    func names(of map: ClassMap) -> [String] {
        let classes = store.classes.relatives(of: map).filter { $0.derives(from: map) }
        return Set((classes + [map]).flatMap { [$0.name] + $0.type.formerNames }).sorted()
    }
}
