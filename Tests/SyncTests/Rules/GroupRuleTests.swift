#if Sync
    import PersistentSync
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// Groups: joining, leaving, moving, and what the members of a group see.
    @Suite struct GroupRuleTests {
        private typealias Two = Members<StandardRules>
        private static let both: Set<GroupID> = [Two.one, Two.two]
        private let p = Two.key("p")
        private let c = Two.key("c", "child")

        /// Two devices in both groups, and one that is only in the first group.
        private func members<Rules: SyncRules>(_ rules: Rules.Type) -> Members<Rules> {
            Members(rules, groups: [Self.both, Self.both, [Two.one]])
        }

        /// Moves an owner with its child, and returns where the child is for each device.
        private func movedChild<Rules: SyncRules>(_ rules: Rules.Type) -> Members<Rules> {
            var members = members(rules)
            members.insert(p, on: 0)
            members.insert(c, on: 0, owner: p)
            members.meet()
            members.devices[0].move(p, to: Two.two)
            return members
        }

        @Test func `an owned object is in the group of its owner`() {
            var members = movedChild(StandardRules.self)
            expect(members.devices[0].group(of: c), Two.two)
            expect(members.devices[0].objects[c]?.group.value, Two.two)
            members.meet()
            expect(members.devices[1].presentation.rows.keys.sorted(), [c, p])
            expect(members.devices[2].presentation.rows, [:])
            expect(members.devices[2].objects, [:])
            let broken = movedChild(OwnGroups.self)
            expect(broken.devices[0].group(of: c), Two.one)
        }

        /// Whether the device that is left behind reads a value that was written after the move.
        private func readsMoved<Rules: SyncRules>(_ rules: Rules.Type) -> Bool {
            var members = movedChild(rules)
            members.devices[0].set("a", of: p, to: .text("after"))
            let sent = members.devices[0].batch(for: Two.one, after: 0)?.objects[p]
            return sent?.value(of: "a") == .text("after")
        }

        @Test func `the members of the old group do not receive what is written after a move`() {
            #expect(!readsMoved(StandardRules.self))
            #expect(readsMoved(FullStubs.self))
        }

        @Test func `the stub of a living object has no life, which would be shown without values`() {
            func stub<Rules: SyncRules>(_ rules: Rules.Type) -> ObjectState? {
                movedChild(rules).devices[0].batch(for: Two.one, after: 0)?.objects[p]
            }
            expect(stub(StandardRules.self)?.life, 0)
            expect(stub(LivingStubs.self)?.life, 1)
        }

        @Test func `an edit in the old group by a device that did not know of the move is transferred`() {
            var members = movedChild(StandardRules.self)
            members.devices[2].set("a", of: p, to: .text("late"))
            // The device in both groups learns of the edit, and the other member of the new group from it.
            members.send(2, to: 0, in: Two.one)
            members.send(0, to: 1, in: Two.two)
            expect(members.value("a", of: p, on: 1), .text("late"))
            members.meet()
            expect(members.value("a", of: p, on: 0), .text("late"))
            expect(members.devices[2].objects[p], nil)
        }

        /// Whether a device shows an object that all others have forgotten, after a late batch.
        private func showsForgotten(joinsEmpty: Bool) -> Bool {
            var members = Members(groups: [[Two.one], [Two.one], [Two.two]])
            members.insert(p, on: 0)
            let late = members.devices[0].batch(for: Two.one, after: 0)
            members.meet([0, 1])
            members.devices[1].delete([(p, nil)])
            members.meet([0, 1])
            expect(members.devices[0].objects, [:])
            members.devices[0].admit(members.devices[2].device, to: Two.one)
            if joinsEmpty {
                members.devices[2].enter(Two.one, members: [DeviceID(1), DeviceID(2)])
            } else if let snapshot = members.devices[0].snapshot(of: Two.one) {
                members.devices[2].join(snapshot)
            }
            if let late { _ = members.devices[2].receive(late) }
            return members.devices[2].presentation.rows[p] != nil
        }

        @Test func `a device that joins takes a snapshot and its vector, and nothing from before`() {
            #expect(!showsForgotten(joinsEmpty: false))
            #expect(showsForgotten(joinsEmpty: true))
        }

        @Test func `leaving is rejected while changes are unsent, and drops the objects of the group`() throws {
            var members = members(StandardRules.self)
            members.insert(p, on: 1)
            members.insert(Two.key("q"), on: 1, in: Two.two)
            expect(members.devices[1].unsentCount(in: Two.one), 1)
            let error = #expect(throws: SyncError.self) { try members.devices[1].leave(Two.one) }
            expect(error?.code, .unsentChanges)
            #expect(error?.message.hasPrefix("1 changed objects") == true)
            expect(members.devices[1].objects.count, 2)
            members.meet()
            try members.devices[1].leave(Two.one)
            expect(members.devices[1].presentation.rows.keys.map(\.self), [Two.key("q")])
            expect(members.devices[0].presentation.rows.count, 2)
            members.devices[2].set("a", of: p, to: .null)
            try members.devices[2].leave(Two.one, droppingUnsent: true)
            expect(members.devices[2].objects, [:])
        }

        @Test func `objects that own each other, by edits on two devices, are in one group`() {
            let classes: [Text: ClassShape] = ["parent": ClassShape(["parent": PropertyShape(.owner)])]
            var members = Members(groups: [Self.both, Self.both])
            for index in 0..<2 { members.devices[index].update(classes: classes) }
            let q = Two.key("q")
            members.insert(p, on: 0)
            members.insert(q, on: 0, in: Two.two)
            members.meet()
            members.devices[0].set("parent", of: p, to: .object(q))
            members.devices[1].set("parent", of: q, to: .object(p))
            members.meet()
            let number = members.devices[0].number
            members.meet()
            expect(members.devices[0].number, number, "the devices continue to move the objects")
            expect(members.devices[0].presentation, members.devices[1].presentation)
            expect(members.devices[0].group(of: p), members.devices[0].group(of: q))
        }

        @Test func `a batch is applied once, in order, by members only`() throws {
            var members = Members(groups: [[Two.one], [Two.one], [Two.two]])
            members.insert(p, on: 0)
            let first = try #require(members.devices[0].batch(for: Two.one, after: 0))
            members.insert(Two.key("q"), on: 0)
            let second = try #require(members.devices[0].batch(for: Two.one, after: first.last))
            expect(members.devices[1].receive(second), .incomplete)
            expect(members.devices[2].receive(first), .ignored)
            expect(members.devices[0].receive(first), .ignored)
            expect(members.devices[1].receive(first), .applied(Changes(changed: [p])))
            expect(members.devices[1].receive(first), .repeated)
            expect(members.devices[1].receive(second), .applied(Changes(changed: [Two.key("q")])))
            members.devices[0].retire(DeviceID(2))
            expect(members.send(0, to: 1, in: Two.one), .retired)
            expect(members.send(1, to: 0, in: Two.one), .ignored)
        }

        @Test func `a batch acknowledges, although another member passed its objects on before`() throws {
            var members = Members(groups: [[Two.one], [Two.one], [Two.one]])
            members.insert(p, on: 0)
            members.send(0, to: 2, in: Two.one)
            let batch = try #require(members.devices[2].batch(for: Two.one, after: 0))
            members.send(2, to: 1, in: Two.one)
            members.send(1, to: 0, in: Two.one)
            expect(members.devices[0].groups[Two.one]?.received[DeviceID(3)], batch.last)
            expect(members.devices[0].groups[Two.one]?.receipts[DeviceID(3)], nil)
            expect(members.devices[0].receive(batch), .applied(Changes()))
            expect(members.devices[0].groups[Two.one]?.receipts[DeviceID(3)], batch.received)
            expect(members.devices[0].receive(batch), .repeated)
        }

        @Test func `a batch with a clock that is more than a day ahead waits`() {
            var members = Members(groups: [[Two.one], [Two.one]])
            members.devices[0].now = 1_000_000 + DeviceClock.accepted + 1
            members.insert(p, on: 0)
            expect(members.send(0, to: 1, in: Two.one), .early)
            expect(members.devices[1].objects, [:])
            members.devices[1].now += 1
            expect(members.send(0, to: 1, in: Two.one), .applied(Changes(changed: [p])))
            // The device's own clock does not follow, and its edits win nevertheless.
            expect(members.devices[1].clock.last, 0)
            members.devices[1].set("a", of: p, to: .integer(9))
            members.meet()
            expect(members.value("a", of: p, on: 0), .integer(9))
        }

        @Test func `parts of a batch are applied one after the other, and are no receipts`() {
            var members = Members(groups: [[Two.one], [Two.one]])
            for index in 0..<10 { members.insert(Two.key(Text("k\(index)")), on: 0) }
            var count = 0
            while count < 10, let membership = members.devices[1].groups[Two.one] {
                let received = membership.received[DeviceID(1)] ?? 0
                guard let part = members.devices[0].batch(for: Two.one, after: received, limit: 3),
                    part.last > received
                else { break }
                #expect(part.objects.count <= 3)
                _ = members.devices[1].receive(part)
                count += 1
            }
            expect(count, 4)
            expect(members.devices[1].presentation, members.devices[0].presentation)
        }
    }
#endif
