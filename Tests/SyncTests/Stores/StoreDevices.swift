#if Sync
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// Devices with real stores in real files, which exchange batches in this process.
    final class StoreDevices {
        /// A store and its replica.
        final class Device {
            let name: String
            let store: Store
            let session: Session
            let replica: StoredReplica

            init(_ name: String, _ file: URL, _ classes: [PersistentObject.Type], _ keys: Keyring?) throws {
                self.name = name
                store = try Store(file.path, configuration: .init(keyring: keys))
                session = try Session(store)
                try store.prepare(classes)
                replica = try StoredReplica(store)
            }

            func use<R>(_ body: () throws -> R) throws -> R { try session.use(body) }
        }

        let folder: URL
        private let keys: Keyring?
        private let isOwner: Bool
        private(set) var devices: [Device] = []
        private(set) var group = GroupID(0)

        /// - Parameter place: An existing folder, which remains; nil for one that is deleted with the devices.
        init(
            _ count: Int, _ classes: [PersistentObject.Type] = StoreModel.classes, _ keys: Keyring? = nil,
            in place: URL? = nil
        ) throws {
            self.keys = keys
            isOwner = place == nil
            folder = place ?? FileManager.default.temporaryDirectory.appendingPathComponent("sync-\(UUID())")
            if isOwner { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
            for _ in 0..<count { try add(classes) }
        }

        /// Opens the files of closed devices.
        init(opening folder: URL, _ count: Int) throws {
            (keys, self.folder, isOwner) = (nil, folder, false)
            for number in 0..<count {
                devices.append(
                    try Device("device \(number)", StoreDevices.file(number, in: folder), StoreModel.classes, nil))
            }
            group = try devices[0].replica.ownGroup
        }

        deinit {
            close()
            if isOwner { try? FileManager.default.removeItem(at: folder) }
        }

        func close() {
            for device in devices {
                device.session.close()
                device.store.close()
            }
        }

        private static func file(_ number: Int, in folder: URL) -> URL {
            folder.appendingPathComponent("\(number).sqlite")
        }

        subscript(index: Int) -> Device { devices[index] }

        /// Adds a device, which joins the group of the first one unless it stays outside.
        @discardableResult
        func add(
            _ classes: [PersistentObject.Type] = StoreModel.classes, inGroup joins: Bool = true,
            keys own: Keyring? = nil
        ) throws -> Device {
            let device = try Device(
                "device \(devices.count)", StoreDevices.file(devices.count, in: folder), classes, own ?? keys)
            if let first = devices.first, joins {
                try first.replica.admit(device.replica.device, to: group)
                let snapshot = try #require(try first.replica.snapshot(of: group))
                _ = try device.replica.join(snapshot, from: first.name)
                // New objects are in the common group.
                try device.replica.useAsOwn(group)
            } else if devices.isEmpty {
                group = try device.replica.ownGroup
            }
            devices.append(device)
            return device
        }

        /// Opens the file of a device with a version of the program that has other classes.
        func update(_ index: Int, _ classes: [PersistentObject.Type]) throws {
            let name = devices[index].name
            devices[index].session.close()
            devices[index].store.close()
            devices[index] = try Device(name, StoreDevices.file(index, in: folder), classes, keys)
        }

        /// Sends what a device has not received from another one.
        @discardableResult
        func send(_ from: Int, to: Int) throws -> StoredReception? {
            let (sender, receiver) = (devices[from], devices[to])
            let received = try receiver.replica.groups[group]?.received[sender.replica.device] ?? 0
            guard let batch = try sender.replica.batch(for: group, after: received) else { return nil }
            return try receiver.replica.receive(batch, from: sender.name)
        }

        /// All devices exchange everything.
        func meet(_ rounds: Int = 3) throws {
            for _ in 0..<rounds {
                for from in devices.indices {
                    for to in devices.indices where from != to { try send(from, to: to) }
                }
            }
        }

        /// The content of a device's tables, by keys instead of ids.
        func dump(_ index: Int) throws -> [String] {
            var lines: [String] = []
            func add(_ title: String, _ sql: String) throws {
                for row in try devices[index].session.rows(sql) {
                    let values = row.columnNames.map { "\($0)=\(row[$0] ?? .null)" }
                    lines.append("\(title): \(values.joined(separator: " "))")
                }
            }
            try add("team", "SELECT hex(key) k, name, code FROM sync_team ORDER BY key")
            try add(
                "player",
                """
                SELECT hex(p.key) k, p.class, p.name, p.age, hex(t.key) team, hex(f.key) friend, p."address_city" city, \
                p."address_zip" zip, hex(p.photo) photo, p.extra, p.stars, p.money, p.best, p.first, p.created, p.gloves \
                FROM sync_player p LEFT JOIN sync_team t ON t.id = p.team_id \
                LEFT JOIN sync_player f ON f.id = p.friend_id ORDER BY p.key
                """)
            try add(
                "tags",
                """
                SELECT hex(p.key) k, group_concat(value, ',') v FROM (SELECT owner_id, value FROM sync_player_tags \
                ORDER BY owner_id, position) JOIN sync_player p ON p.id = owner_id GROUP BY p.key ORDER BY p.key
                """)
            try add(
                "bench",
                """
                SELECT hex(p.key) k, group_concat(hex(v), ',') v FROM (SELECT owner_id, q.key v FROM sync_player_bench b \
                JOIN sync_player q ON q.id = b.value_id ORDER BY owner_id, position) \
                JOIN sync_player p ON p.id = owner_id GROUP BY p.key ORDER BY p.key
                """)
            for table in ["codes", "scores"] {
                try add(
                    table,
                    """
                    SELECT hex(p.key) k, c.* FROM sync_player_\(table) c JOIN sync_player p ON p.id = c.owner_id \
                    ORDER BY 1, 3
                    """.replacingOccurrences(of: "c.*", with: table == "codes" ? "c.value, 0 z" : "c.key z, c.value"))
            }
            try add(
                "rivals",
                """
                SELECT hex(p.key) k, hex(q.key) v FROM sync_player_rivals r JOIN sync_player p ON p.id = r.owner_id \
                JOIN sync_player q ON q.id = r.value_id ORDER BY 1, 2
                """)
            try add("note", "SELECT key, deleted_at, text, number FROM sync_note ORDER BY key")
            return lines
        }

        /// Fails unless all devices show the same, with sound files.
        func expectEqual(_ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation) throws {
            let first = try dump(0)
            for index in devices.indices {
                let other = try dump(index)
                #expect(other == first, "\(comment) device \(index)", sourceLocation: sourceLocation)
                let broken = try devices[index].session.rows("PRAGMA foreign_key_check")
                #expect(broken.isEmpty, "\(comment) references of \(index)", sourceLocation: sourceLocation)
            }
        }
    }
#endif
