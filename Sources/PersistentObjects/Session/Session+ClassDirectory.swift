package import StoreEngine

extension Session: ClassDirectory {
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
