internal import StoreEngine

extension Session: ClassDirectory {
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
