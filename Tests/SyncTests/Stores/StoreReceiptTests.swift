#if Sync
    import PersistentObjects
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// Acknowledgements in batches whose objects another member has passed on.
    @Suite struct StoreReceiptTests {
        @Test func `a store keeps the acknowledgement of a batch whose objects it has already`() throws {
            let devices = try StoreDevices(3)
            try devices.meet()
            let (group, first, third) = (devices.group, devices[0].replica, devices[2].replica)
            let received = try first.groups[group]?.received[third.device] ?? 0
            try devices[0].use {
                let team = StoreModel.Team()
                team.name = "Reds"
                try team.save()
            }
            try devices.send(0, to: 2)
            let batch = try #require(try third.batch(for: group, after: received))
            let number = try first.number
            expect(batch.received[try first.device], number)
            try devices.send(2, to: 1)
            try devices.send(1, to: 0)
            func acknowledged() throws -> Int64? {
                // Another process reads the file.
                try StoredReplica(devices[0].store).groups[group]?.receipts[third.device]?[first.device]
            }
            #expect(try acknowledged() ?? 0 < number)
            let reception = try first.receive(batch, from: "third")
            expect(reception.reception, .applied(Changes()))
            expect(reception.changed.isEmpty, true)
            expect(try acknowledged(), number)
            expect(try first.receive(batch, from: "third").reception, .repeated)
        }
    }
#endif
