#if Sync
    import PersistentSync

    /// What other devices wrote. It is rejected with a `SyncError`, or joined, shown and sent on, and the order of joins
    /// does not matter.
    struct SyncBatchTarget {
        private let header = BatchHeader(
            group: GroupID(1), epoch: 1, device: DeviceID(2), after: 0, last: 9,
            previous: [UInt8](repeating: 0, count: SealedBatch.hashSize))
        /// The batch of a third device.
        private let other: Batch

        init() {
            var replica = Self.replica(DeviceID(3))
            for (number, key) in Self.keys.enumerated() {
                replica.insert(key, ["a": .integer(Int64(number)), "u": .integer(7)], in: GroupID(1))
                replica.setElement(.integer(1), in: "tags", of: key, isPresent: true)
                replica.add(.integer(2), to: "count", of: key)
            }
            let batch = replica.batch(for: GroupID(1), after: 0)
            other = batch ?? Batch(from: DeviceID(3), in: GroupID(1), after: 0, last: 1, objects: [:])
        }

        private static let keys = [ObjectKey("a", .text("k")), ObjectKey("b", .uuid(0)), ObjectKey("b", .text("k"))]

        private static func replica(_ device: DeviceID) -> Replica<StandardRules> {
            var properties: [Text: PropertyShape] = [
                "a": PropertyShape(.value, isRequired: true), "u": PropertyShape(.value),
                "friend": PropertyShape(.reference), "count": PropertyShape(.counter, initial: .integer(0)),
                "list": PropertyShape(.array), "tags": PropertyShape(.set), "map": PropertyShape(.dictionary),
                "top": PropertyShape(.maximum, initial: .integer(0)), "low": PropertyShape(.minimum),
            ]
            let plain = ClassShape(properties, unique: [["u"]])
            properties["parent"] = PropertyShape(.owner)
            let owned = ClassShape(properties, unique: [["u"]], keepsEdited: true)
            var replica = Replica<StandardRules>(device, classes: ["a": plain, "b": owned])
            replica.enter(GroupID(1), members: [DeviceID(1), DeviceID(2), DeviceID(3)])
            replica.now = Clock.latest >> 16
            return replica
        }

        /// The first byte selects what the rest is: a file, a record's content, the beginning of a batch with pieces, or a
        /// batch's content.
        func run(_ bytes: [UInt8]) throws {
            let rest = Array(bytes.dropFirst())
            switch bytes.first ?? 0 {
            case 0: try file(rest)
            case 1: try record(rest)
            case 3: try pieces(rest)
            default: try content(rest)
            }
        }

        private func rejecting(_ body: () throws -> Void) throws {
            do { try body() } catch let error as SyncError {
                if error.message.isEmpty { throw FuzzFinding("an error without a text") }
            }
        }

        private func file(_ bytes: [UInt8]) throws {
            let key = [UInt8](repeating: 5, count: 32)
            try rejecting {
                _ = try SealedBatch.header(of: bytes)
                _ = try SealedBatch.open(bytes, secret: key, signedBy: key)
                throw FuzzFinding("the batch has no valid signature")
            }
            try rejecting { _ = try SealedRecord(bytes).body(secret: key) }
        }

        private func record(_ bytes: [UInt8]) throws {
            try rejecting { _ = try RecordJSON.record(bytes, Member.self) }
            try rejecting { _ = try RecordJSON.record(bytes, MemberRecord.self) }
            try rejecting { _ = try RecordJSON.record(bytes, InvitationRecord.self) }
            try rejecting { _ = try RecordJSON.record(bytes, SnapshotRecord.self) }
        }

        private func pieces(_ bytes: [UInt8]) throws {
            try rejecting {
                let (passesOnAll, pieces, start) = try SealedBatch.readPrefix(of: bytes[...])
                var batch = other
                batch.passesOnAll = passesOnAll
                guard SealedBatch.prefix(of: batch, pieces) == Array(bytes[..<start]) else {
                    throw FuzzFinding("the beginning changes when it is written again")
                }
            }
        }

        private func content(_ bytes: [UInt8]) throws {
            try rejecting {
                let batch = try SealedBatch.batch(bytes, under: header)
                let again = try SealedBatch.batch(SealedBatch.content(of: batch), under: header)
                guard again.objects == batch.objects else { throw FuzzFinding("a batch changes when it is read again") }
                var replica = Self.replica(DeviceID(1))
                guard case .applied = replica.receive(batch), case .applied = replica.receive(other) else { return }
                // Or it is ignored, because it retired its author.
                if case .applied = replica.receive(batch) { throw FuzzFinding("a batch is applied twice") }
                try join(batch)
                try edit(&replica)
            }
        }

        /// Joins the states with other states of the same objects, in both orders.
        private func join(_ batch: Batch) throws {
            let others = Array(other.objects.values) + Array(batch.objects.values)
            for state in batch.objects.values {
                for other in others {
                    var (one, two) = (state, other)
                    _ = one.join(other, by: StandardRules.self)
                    _ = two.join(state, by: StandardRules.self)
                    guard one == two else { throw FuzzFinding("the order of joins matters") }
                    if one.join(state, by: StandardRules.self) { throw FuzzFinding("a repeated join changes a state") }
                }
            }
        }

        /// Edits each part of each object, and sends it on.
        private func edit(_ replica: inout Replica<StandardRules>) throws {
            for (key, object) in replica.objects.sorted(by: { $0.key < $1.key }) {
                for name in object.properties.keys.sorted() { replica.set(name, of: key, to: .null) }
                for name in object.counters.keys.sorted() { replica.add(.integer(.max), to: name, of: key) }
                for name in object.maxima.keys.sorted() { replica.widen(name, of: key, to: .integer(.max)) }
                for (name, set) in object.sets.sorted(by: { $0.key < $1.key }) {
                    for element in set.keys.sorted() {
                        replica.setElement(element, in: name, of: key, isPresent: false)
                    }
                }
                replica.delete([(key, nil)])
                replica.restore(key)
            }
            _ = replica.presentation
            guard let sent = replica.batch(for: GroupID(1), after: 0) else { return }
            let header = BatchHeader(
                group: sent.group, epoch: 1, device: sent.device, after: sent.after, last: sent.last,
                previous: self.header.previous)
            let again = try SealedBatch.batch(SealedBatch.content(of: sent), under: header)
            guard again.objects == sent.objects else { throw FuzzFinding("what is sent on is not the same") }
        }
    }
#endif
