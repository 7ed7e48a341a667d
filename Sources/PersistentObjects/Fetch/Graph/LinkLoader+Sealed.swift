internal import StoreEngine

// Encrypted properties, which are read like lazy properties.
extension LinkLoader {
    /// Loads an encrypted property of objects of a class and its subclasses.
    func loadSealed(_ objects: [PersistentObject], _ property: String) throws {
        for (_, objects) in Dictionary(grouping: objects, by: { ObjectIdentifier(type(of: $0)) }) {
            guard let map = objects[0].identityMap?.classMap, let ordinal = map.ordinal(of: property) else { continue }
            let unloaded = objects.filter {
                map.properties[ordinal].box(in: ObjectMemory.start(of: $0))?.state == .unloaded
            }
            if !unloaded.isEmpty { try loadBoxes(of: unloaded, map, ordinal) }
        }
    }

    /// Reads the encrypted properties with unsaved edits again, so that a save detects the changes of other sessions.
    /// The edits remain. A property that was assigned before it was loaded cannot be compared.
    func readSealedAgain(_ object: PersistentObject, _ space: ClassSpace) throws {
        let map = space.map
        let start = ObjectMemory.start(of: object)
        guard let block = object.baseline else { return }
        for ordinal in map.sealedOrdinals {
            let slot = map.baseline.slots[ordinal]
            guard slot.box(in: start)?.state == .loaded, !map.baseline.isSame(slot, start, block) else { continue }
            try readSealedAgain(object, space, ordinal, slot, block)
        }
    }

    private func readSealedAgain(
        _ object: PersistentObject, _ space: ClassSpace, _ ordinal: Int, _ slot: BaselineLayout.Slot, _ block: Address
    ) throws {
        let property = space.map.properties[ordinal]
        guard let sealing = property.sealing else { return }
        let statement = try connection.statement(space.sql.selectColumn(property.column))
        defer { statement.finish() }
        statement.beginBinding()
        do throws(ValueFault) { try statement.bind(list: [object.rowID], at: 1) } catch { throw space.located(error) }
        guard try Fetch(session).step(statement, space) else { return }
        do {
            let key = statement.columnCount > 2 ? try statement.column(2).value() : .null
            let value = try space.opened(try statement.column(1).value(), sealing, key: key, rowID: object.rowID)
            let memory = ElementMemory(slot.codec)
            try value.withCell { (cell) throws(ValueFault) in try slot.codec.create(cell, at: memory.address) }
            defer { slot.codec.destroy(memory.address) }
            space.map.baseline.setBaseline(of: slot, to: memory.address, in: block)
        } catch let error as StoreError where error.code != .damaged && error.code != .locked && error.code != .wrongKey
        {
            throw error
        } catch is StoreError {
            // The edit replaces an unreadable value.
        } catch let fault as ValueFault {
            throw space.located(fault, property: ordinal, rowID: object.rowID)
        }
    }
}
