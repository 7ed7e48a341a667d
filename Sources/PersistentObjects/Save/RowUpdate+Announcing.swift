internal import StoreEngine

// What a save says to subscribers of the rows that it writes.
extension Session {
    /// Says what the next update of a row changes.
    @inline(__always)
    func announce(_ object: RowUpdate, _ map: ClassMap) {
        guard let log = eventLog else { return }
        log.announce(eventNotes.note(map, object.changed, isExact: true), log.place(of: map.table), object.rowID)
    }

    /// Notes changes that no row of the objects' table tells of: those of collections and inverses. Whoever is only told
    /// which rows are stale is told of these too.
    func noteOthers(_ updates: [RowUpdate], _ map: ClassMap) {
        guard let log = connection.rowLog else { return }
        let table = log.place(of: map.table)
        for update in updates where update.changed != update.columns {
            log.add(eventNotes.note(map, update.changed, isExact: true), table, update.rowID)
        }
    }
}
