#if Sync
    import PersistentSync
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// Devices that were retired, copied or restored, and programs of several versions.
    @Suite struct ResetRuleTests {
        private typealias Two = Members<StandardRules>
        private static let pair: [Set<GroupID>] = [[Two.one], [Two.one]]
        private let p = Two.key("p")
        private let q = Two.key("q")

        private func reset<Rules: SyncRules>(
            _ device: Int, of members: inout Members<Rules>, as id: UInt128
        ) -> Set<ObjectKey> {
            members.devices[0].retire(members.devices[device].device)
            members.devices[0].admit(DeviceID(id), to: Two.one)
            let snapshots = [members.devices[0].snapshot(of: Two.one)].compactMap(\.self)
            return members.devices[device].reset(as: DeviceID(id), to: snapshots)
        }

        /// Whether an object that all members deleted and forgot while a device was away returns with it.
        private func returns<Rules: SyncRules>(_ rules: Rules.Type) -> (isBack: Bool, lost: Set<ObjectKey>) {
            var members = Members(rules, groups: Self.pair + [[Two.one]])
            members.insert(p, on: 2)
            members.insert(q, on: 2)
            members.meet()
            members.devices[2].set("a", of: q, to: .integer(9))
            members.devices[0].retire(DeviceID(3))
            members.devices[0].delete([(p, nil), (q, nil)])
            members.meet([0, 1])
            let lost = reset(2, of: &members, as: 9)
            members.meet()
            return (members.devices[0].presentation.rows[p] != nil, lost)
        }

        @Test func `a reset does not bring back what was forgotten, and reports lost edits`() {
            let designed = returns(StandardRules.self)
            #expect(!designed.isBack)
            expect(designed.lost, [q])
            #expect(returns(MergesAll.self).isBack)
        }

        @Test func `unsent changes survive a reset, also a second one, and count once`() {
            var members = Members(groups: Self.pair + [[Two.one]])
            members.insert(p, on: 0)
            members.meet()
            members.devices[2].add(.integer(5), to: "count", of: p)
            members.insert(q, on: 2)
            // The increment also arrives in another way.
            members.send(2, to: 1, in: Two.one)
            expect(members.value("count", of: p, on: 1), .integer(5))
            members.devices[2].objects[q]?.properties["b"]?.value = .integer(8)
            expect(reset(2, of: &members, as: 9), [])
            expect(members.devices[2].unsentCount(in: Two.one), 2)
            expect(reset(2, of: &members, as: 10), [])
            expect(members.devices[2].unsentCount(in: Two.one), 2)
            members.meet()
            for device in 0..<3 {
                expect(members.value("count", of: p, on: device), .integer(5))
                expect(members.devices[device].presentation.rows.keys.sorted(), [p, q])
            }
            expect(members.devices[2].unsentCount(in: Two.one), 0)
        }

        @Test func `a key that the program assigned begins above the floor of the snapshot`() {
            var members = Members(groups: Self.pair + [[Two.one]])
            members.insert(p, on: 0)
            members.meet([0, 1])
            members.devices[0].retire(DeviceID(3))
            members.devices[0].delete([(p, nil)])
            members.meet([0, 1])
            expect(members.devices[0].objects, [:])
            members.insert(p, on: 2)
            expect(members.devices[2].objects[p]?.life, 1)
            _ = reset(2, of: &members, as: 9)
            expect(members.devices[2].objects[p]?.life, 3)
            members.meet()
            expect(members.devices[1].presentation.rows.keys.map(\.self), [p])
        }

        @Test func `a property that a version lacks is kept, passed on, and shown after the update`() {
            var members = Members(groups: Self.pair + [[Two.one]])
            members.devices[1].update(classes: SimulatedModel.classes(version: 1))
            members.insert(p, on: 0)
            members.send(0, to: 1, in: Two.one)
            members.send(1, to: 2, in: Two.one)
            // No version wrote the property, so each shows its initial value, and none is sent.
            expect(members.devices[0].objects[p]?.properties["c"], nil)
            expect(members.value("c", of: p, on: 2), .text("d2"))
            members.devices[0].set("c", of: p, to: .integer(4))
            members.send(0, to: 1, in: Two.one)
            expect(members.devices[1].presentation.waitingValues, [p: ["c": .unknownProperty]])
            members.send(1, to: 2, in: Two.one)
            expect(members.value("c", of: p, on: 2), .integer(4))
            members.devices[1].update(classes: SimulatedModel.classes(version: 3))
            expect(members.value("c", of: p, on: 1), .integer(4))
        }

        @Test func `a renamed property is one property, whichever version writes it`() {
            let old: [Text: ClassShape] = ["parent": ClassShape(["title": PropertyShape(.value)])]
            let new: [Text: ClassShape] = [
                "parent": ClassShape(["heading": PropertyShape(.value)], renamed: ["title": "heading"])
            ]
            var members = Members(groups: Self.pair)
            members.devices[0].update(classes: old)
            members.devices[1].update(classes: new)
            members.devices[0].insert(p, ["title": .text("old")], in: Two.one)
            members.meet()
            expect(members.value("heading", of: p, on: 1), .text("old"))
            members.devices[1].set("heading", of: p, to: .text("new"))
            members.meet()
            expect(members.value("title", of: p, on: 0), .text("old"))
            members.devices[0].update(classes: new)
            members.meet()
            for device in 0..<2 {
                expect(members.value("heading", of: p, on: device), .text("new"))
                expect(members.devices[device].objects[p]?.properties["title"], nil)
            }
        }

        @Test func `a move keeps the identity of an element, so an edit of it elsewhere is kept`() throws {
            var random = SeededGenerator(seed: 1)
            var members = Members(groups: Self.pair)
            members.insert(p, on: 0)
            members.insert(q, on: 0)
            var ids: [ElementID] = []
            for index in 0..<3 {
                let id = members.devices[0].insertElement(
                    .integer(Int64(index)), at: index, in: "list", of: p, using: &random)
                ids.append(try #require(id))
            }
            members.meet()
            members.devices[0].moveElement(ids[2], to: 0, in: "list", of: p, using: &random)
            members.devices[1].moveElement(ids[2], to: 1, in: "list", of: p, using: &random)
            members.devices[1].setElement(ids[2], in: "list", of: p, to: .integer(7))
            members.devices[0].removeElement(ids[1], in: "list", of: p)
            members.meet()
            for device in 0..<2 {
                guard case .array(let list)? = members.devices[device].presentation.rows[p]?["list"] else {
                    Issue.record("no array")
                    return
                }
                expect(Set(list), [.integer(0), .integer(7)])
                expect(list.count, 2)
            }
            expect(members.devices[0].presentation, members.devices[1].presentation)
        }
    }
#endif
