internal import StoreEngine

extension ClassSpace {
    /// The statements of a collection's table, created once.
    func collectionSQL(_ place: Int) throws -> CollectionSQL {
        if let known = collectionSQL[place] { return known }
        guard let table = ChildTable(map.properties[place], of: map) else {
            throw located(StoreError(.misuse, "The property is not a collection"), property: place)
        }
        let made = CollectionSQL(table, session.dialect)
        collectionSQL[place] = made
        return made
    }
}
