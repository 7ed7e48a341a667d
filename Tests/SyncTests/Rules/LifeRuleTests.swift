#if Sync
    import PersistentSync
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// Deletions, and what brings objects back.
    @Suite struct LifeRuleTests {
        private typealias Two = Members<StandardRules>
        private static let pair: [Set<GroupID>] = [[Two.one], [Two.one]]
        private let p = Two.key("p")
        private let c = Two.key("c", "child")
        private let k = Two.key("k", "kept")
        private let kc = Two.key("kc", "keptchild")

        @Test func `a deletion wins against an edit that it did not see, unless the class declares keepsEdited`() {
            var members = Members(groups: Self.pair)
            members.insert(p, on: 0)
            members.insert(k, on: 0)
            members.meet()
            members.devices[0].delete([(p, nil), (k, nil)])
            // The clock of the device that edits is slow.
            members.devices[1].now = 5
            members.devices[1].set("a", of: p, to: .integer(7))
            members.devices[1].set("a", of: k, to: .integer(7))
            members.meet()
            for device in 0..<2 {
                expect(members.devices[device].presentation.rows.keys.map(\.self), [k])
                expect(members.value("a", of: k, on: device), .integer(7))
                expect(members.devices[device].objects[k]?.life, 3)
            }
        }

        @Test func `an edit that the deletion saw does not bring the object back`() {
            var members = Members(groups: Self.pair)
            members.insert(k, on: 0)
            members.devices[0].set("a", of: k, to: .integer(7))
            members.meet()
            members.devices[1].delete([(k, nil)])
            members.meet()
            expect(members.devices[0].objects, [:])
            expect(members.devices[1].objects, [:])
        }

        /// Whether an edit by a slow clock survives a deletion that did not see it, but saw a later edit of another
        /// property.
        private func survives<Rules: SyncRules>(_ rules: Rules.Type) -> Bool {
            var members = Members(rules, groups: Self.pair)
            members.insert(k, on: 0)
            members.meet()
            members.devices[0].now += 60_000
            members.devices[0].set("b", of: k, to: .integer(8))
            members.devices[0].delete([(k, nil)])
            members.devices[1].set("a", of: k, to: .integer(7))
            members.meet()
            return members.value("a", of: k, on: 0) == .integer(7)
        }

        @Test func `a deletion knows the clock that it saw of each property`() {
            #expect(survives(StandardRules.self))
            #expect(!survives(SeenAsOne.self))
        }

        @Test func `what was deleted with an owner returns with it, whichever device brings it back`() {
            var members = Members(groups: Self.pair)
            members.insert(k, on: 0)
            members.insert(kc, on: 0, owner: k)
            members.meet()
            members.devices[0].delete([(k, nil), (kc, k)])
            members.devices[1].set("a", of: k, to: .integer(7))
            members.meet()
            for device in 0..<2 { expect(members.devices[device].presentation.rows.keys.sorted(), [k, kc].sorted()) }
        }

        @Test func `a child of a dead owner is held, and returns when the deletion is undone`() {
            var members = Members(groups: Self.pair)
            members.insert(p, on: 0)
            members.meet()
            members.devices[0].delete([(p, nil)])
            members.insert(c, on: 1, owner: p)
            members.send(1, to: 0, in: Two.one)
            members.send(0, to: 1, in: Two.one)
            expect(members.devices[1].presentation.rows, [:])
            expect(members.devices[1].presentation.waiting, [c: .missing(p)])
            expect(members.devices[0].restore(p), [p])
            members.meet()
            for device in 0..<2 { expect(members.devices[device].presentation.rows.keys.sorted(), [c, p].sorted()) }
        }

        /// The objects of which a device keeps something, when it could forget the owner but not the child.
        private func kept<Rules: SyncRules>(_ rules: Rules.Type) -> [ObjectKey] {
            var members = Members(rules, groups: Self.pair)
            members.insert(p, on: 0)
            members.insert(c, on: 0, owner: p)
            members.meet()
            members.devices[0].delete([(p, nil), (c, p)])
            members.send(0, to: 1, in: Two.one)
            members.send(1, to: 0, in: Two.one)
            // The other device has acknowledged both deletions, and then the child changes again.
            members = Members(rules, groups: Self.pair)
            members.insert(p, on: 0)
            members.insert(c, on: 0, owner: p)
            members.meet()
            members.devices[0].delete([(p, nil), (c, p)])
            members.send(0, to: 1, in: Two.one)
            members.devices[0].touch(c)
            members.send(1, to: 0, in: Two.one)
            return members.devices[0].objects.keys.sorted()
        }

        @Test func `an owner's tombstone is kept until no tombstone of a child is left`() {
            expect(kept(StandardRules.self), [c, p])
            expect(kept(Orphans.self), [c])
        }

        @Test func `deletions are forgotten when all members have acknowledged them, and not before`() {
            var members = Members(groups: Self.pair + [[Two.one]])
            for index in 0..<100 { members.insert(Two.key(Text("k\(index)")), on: 0) }
            members.meet()
            members.devices[0].delete(members.devices[0].objects.keys.sorted().map { ($0, nil) })
            members.meet([0, 1])
            expect(members.devices[0].objects.count, 100)
            members.meet()
            for device in members.devices {
                expect(device.objects, [:])
            }
            expect(members.devices[0].floor, ["parent": 2])
            // A device that is silent keeps the tombstones, until it is retired.
            members.insert(p, on: 0)
            members.meet()
            members.devices[0].delete([(p, nil)])
            members.meet([0, 1])
            expect(members.devices[0].objects.count, 1)
            members.devices[0].retire(DeviceID(3))
            members.devices[1].set("a", of: p, to: .null)
            members.meet([0, 1])
            expect(members.devices[0].objects.count, 0)
        }

        @Test func `a key that was forgotten begins a life above all that were forgotten`() {
            var members = Members(groups: Self.pair)
            members.insert(p, on: 0)
            members.meet()
            members.devices[1].delete([(p, nil)])
            members.meet()
            expect(members.devices[0].objects, [:])
            members.insert(p, on: 0)
            expect(members.devices[0].objects[p]?.life, 3)
            members.meet()
            expect(members.devices[1].presentation.rows.keys.map(\.self), [p])
        }
    }
#endif
