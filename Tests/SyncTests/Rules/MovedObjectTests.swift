#if Sync
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// Objects that leave a group, return to it, or are in two groups at once.
    @Suite struct MovedObjectTests {
        private typealias Two = Members<StandardRules>

        private let p = Two.key("p")

        @Test func `an object that moved before it was sent stays when its device is reset`() throws {
            var members = Two(groups: [[Two.one, Two.two], [Two.one, Two.two]])
            members.insert(p, on: 0)
            members.devices[0].move(p, to: Two.two)
            // The members of the old group receive its group only.
            members.send(0, to: 1, in: Two.one)
            members.send(1, to: 0, in: Two.one)
            let snapshots = [Two.one, Two.two].compactMap { members.devices[1].snapshot(of: $0) }
            expect(members.devices[0].reset(as: DeviceID(9), to: snapshots), [])
            expect(members.value("a", of: p, on: 0), .integer(1))
        }

        @Test func `an object that moved after it was sent, and was deleted, does not stay`() throws {
            var members = Two(groups: [[Two.one, Two.two], [Two.one, Two.two]])
            members.insert(p, on: 0)
            members.meet(rounds: 2)
            members.devices[0].move(p, to: Two.two)
            members.devices[1].retire(members.devices[0].device)
            members.devices[1].drop(p)
            let snapshots = [Two.one, Two.two].compactMap { members.devices[1].snapshot(of: $0) }
            expect(members.devices[0].reset(as: DeviceID(9), to: snapshots), [p])
            expect(members.devices[0].objects[p], nil)
        }

        /// Both groups have the same numbers, and the batch of one does not contain the objects of the other.
        @Test(arguments: [false, true])
        func `an edit is unsent although a later batch of another group was received`(isForgotten: Bool) {
            var members = Two(groups: [[Two.one, Two.two], [Two.one, Two.two]])
            members.insert(p, on: 0)
            members.meet()
            members.devices[0].set("a", of: p, to: .integer(5))
            members.insert(Two.key("q"), on: 0, in: Two.two)
            members.send(0, to: 1, in: Two.two)
            if isForgotten { members.devices[1].drop(p) }
            let snapshots = [Two.one, Two.two].compactMap { members.devices[1].snapshot(of: $0) }
            expect(members.devices[0].reset(as: DeviceID(9), to: snapshots), isForgotten ? [p] : [])
            expect(members.devices[0].unsentCount(in: Two.one), isForgotten ? 0 : 1)
            expect(members.devices[0].unsentCount(in: Two.two), 0)
        }

        @Test func `a counter keeps what a device added before it left the group and joined again`() throws {
            var members = Two(groups: [[Two.one], [Two.one], [Two.one]])
            members.insert(p, on: 0)
            members.meet()
            members.devices[2].add(.integer(5), to: "count", of: p)
            members.send(2, to: 1, in: Two.one)
            members.send(1, to: 2, in: Two.one)
            try members.devices[2].leave(Two.one)
            // The device that admits it again has not received the addition.
            let snapshot = try #require(members.devices[0].snapshot(of: Two.one))
            members.devices[2].join(snapshot)
            members.devices[2].add(.integer(7), to: "count", of: p)
            members.meet()
            for device in 0..<3 { expect(members.value("count", of: p, on: device), .integer(12)) }
        }

        @Test func `a key that was created in two groups is in one group on all devices`() {
            var members = Two(groups: [[Two.one, Two.two], [Two.one]])
            members.insert(p, on: 1)
            members.devices[0].now += 1
            members.insert(p, on: 0, in: Two.two)
            // All that the first device has is later, so that it learns only of the other group.
            members.meet([0, 1], rounds: 2)
            expect(members.devices.map { $0.objects[p]?.group.value }, [Two.two, Two.two])
            #expect(!members.devices[1].isHere(p))
        }

        @Test func `a key whose deletion in another group was dropped begins a later life`() {
            var members = Two(groups: [[Two.one, Two.two], [Two.one]])
            members.insert(p, on: 0)
            members.meet()
            members.devices[0].move(p, to: Two.two)
            members.devices[0].delete([(p, nil)])
            members.meet()
            expect(members.devices[1].objects[p], nil)
            members.insert(p, on: 1)
            expect(members.devices[1].objects[p]?.life, 3)
        }

        @Test func `a state that all members have acknowledged is not taken again`() throws {
            var members = Two(groups: [[Two.one, Two.two], [Two.one], [Two.one], [Two.one]])
            members.insert(p, on: 0)
            members.meet()
            members.devices[0].move(p, to: Two.two)
            members.send(0, to: 1, in: Two.one)
            let late = try #require(members.devices[1].batch(for: Two.one, after: 0))
            members.meet()
            for device in 1..<4 { expect(members.devices[device].objects[p], nil) }
            // It would be sent to the other members, which have dropped it too, and would return it.
            members.devices[2].groups[Two.one]?.received[DeviceID(2)] = 0
            expect(Array(late.objects.keys), [p])
            guard case .applied = members.devices[2].receive(late) else {
                Issue.record("The batch was not applied")
                return
            }
            expect(members.devices[2].objects[p], nil)
            // An edit in it is taken.
            var edited = late
            edited.objects[p]?.properties["a"] = Register(.integer(9), Clock(1_000_001 << 16, DeviceID(4)))
            members.devices[2].groups[Two.one]?.received[DeviceID(2)] = 0
            _ = members.devices[2].receive(edited)
            expect(members.devices[2].objects[p]?.value(of: "a"), .integer(9))
        }
    }
#endif
