#if Sync
    import PersistentObjects
    import StoreEngine
    import Synchronization
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// The file of a device: erased, written by a later version, changed by hand, and used by two processes.
    @Suite(.onSQLite("a server is not a device"))
    struct DeviceFileTests {
        typealias Team = StoreModel.Team
        typealias Note = StoreModel.Note

        @Test func `an erased store is a new device, which knows nothing`() throws {
            let devices = try StoreDevices(1)
            try devices[0].use { try Team().save() }
            let device = try devices[0].replica.device
            try devices[0].session.use { try devices[0].store.erase() }
            #expect(try devices[0].replica.device != device)
            let group = try devices[0].replica.ownGroup
            #expect(try devices[0].replica.batch(for: group, after: 0)?.objects.isEmpty == true)
        }

        @Test func `a file that a later version has synchronized is refused`() throws {
            let devices = try StoreDevices(1)
            try devices[0].session.execute("UPDATE po_sync_self SET value = 2 WHERE name = 'format'")
            let error = #expect(throws: SyncError.self) { try StoredReplica(devices[0].store) }
            #expect(error?.code == .newerFormat)
        }

        @Test func `a file whose numbers of names were changed is refused, and its states are not misread`() throws {
            for change in ["DELETE FROM po_sync_term WHERE number = 0", "UPDATE po_sync_term SET value = x'00'"] {
                let devices = try StoreDevices(2)
                try devices[0].use { try Team().save() }
                try devices.meet()
                try devices[1].session.execute(change)
                devices[1].replica.known.withLock { $0 = nil }
                try devices[0].use { try Team().save() }
                let error = #expect(throws: SyncError.self) { try devices.send(0, to: 1) }
                expect(error?.code, .damagedBatch)
            }
        }

        @Test func `a store whose engine captures no changes is refused by name`() throws {
            let file = try TemporaryStore()
            let store = try Store(file.path, engine: LoggingEngine(lacking: .capture))
            defer { store.close() }
            let error = #expect(throws: StoreError.self) { try StoredReplica(store) }
            #expect(error?.code == .unsupported)
        }

        @Test func `two replicas of one file, as in two processes, follow each other`() throws {
            let devices = try StoreDevices(2)
            let (first, second) = (devices[0].replica, try StoredReplica(devices[0].store))
            for (index, replica) in [first, second, first].enumerated() {
                try devices[0].use {
                    let note = try Note(key: "n\(index)")
                    note.number = index
                    try note.save()
                }
                #expect(try replica.absorb() == 1)
            }
            #expect(try first.number == second.number)
            #expect(try second.batch(for: devices.group, after: 0)?.objects.count == 3)
            try devices.meet()
            try devices.expectEqual()
        }
    }
#endif
