internal import StoreEngine

extension Session: ClassDirectory {
    func map(of type: PersistentObject.Type) throws -> ClassMap { try space(of: type).map }

    func rows(of type: PersistentObject.Type, as alias: String) throws -> SQL {
        var source = SQL()
        try space(of: type).sql.appendSource(to: &source, as: alias)
        return source
    }
}
