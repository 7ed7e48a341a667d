internal import StoreEngine

extension ClassSpace {
    /// The statements of a collection's table, created once.
    func collectionSQL(_ ordinal: Int) throws -> CollectionSQL {
        if let known = collectionSQL[ordinal] { return known }
        guard let table = ChildTable(map.properties[ordinal], of: map) else {
            throw located(StoreError(.misuse, "The property is not a collection"), property: ordinal)
        }
        let made = CollectionSQL(table, session.dialect)
        collectionSQL[ordinal] = made
        return made
    }
}
