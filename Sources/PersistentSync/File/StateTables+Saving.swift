internal import StoreEngine

extension StateTables {
    /// Writes what differs from what the tables have; returns whether anything did.
    ///
    /// - Parameter old: What the tables have, without the objects.
    func save<Rules: SyncRules>(_ replica: Replica<Rules>, over old: Replica<Rules>?) throws -> Bool {
        var isChanged = try saveObjects(replica, over: old)
        func single(_ name: String, _ value: DatabaseValue, _ before: DatabaseValue?) throws {
            guard value != before else { return }
            isChanged = true
            try set(name, to: value)
        }
        try single("device", replica.device.number.blob, old?.device.number.blob)
        try single("counter", replica.counting.number.blob, old?.counting.number.blob)
        try single("clock", StateTables.stored(replica.clock.last), old.map { StateTables.stored($0.clock.last) })
        try single("number", .integer(replica.number), old.map { .integer($0.number) })
        try single("element", .integer(replica.lastElement), old.map { .integer($0.lastElement) })
        try single("edit", .integer(replica.lastEdit), old.map { .integer($0.lastEdit) })
        try single("retired", .integer(replica.isRetired ? 1 : 0), old.map { .integer($0.isRetired ? 1 : 0) })
        if replica.identities != old?.identities || replica.retired != old?.retired
            || replica.heard != old?.heard
        {
            isChanged = true
            try replaceDevices(replica)
        }
        if replica.groups != old?.groups {
            isChanged = true
            try replaceGroups(replica)
        }
        if replica.floor != old?.floor {
            isChanged = true
            for (name, life) in replica.floor.sorted(by: { $0.key < $1.key }) {
                try connection.run(
                    "INSERT OR REPLACE INTO \"po_sync_floor\" VALUES (?, ?)", [.text(name.string), .integer(life)])
            }
        }
        if replica.clocks != old?.clocks {
            isChanged = true
            try connection.run("DELETE FROM \"po_sync_number\"")
            for (number, time) in replica.clocks.sorted(by: { $0.key < $1.key }) {
                try connection.run(
                    "INSERT INTO \"po_sync_number\" VALUES (?, ?)", [.integer(number), StateTables.stored(time)])
            }
        }
        return isChanged
    }

    /// Clocks end before 2^63.
    private static func stored(_ time: UInt64) -> DatabaseValue { .integer(Int64(bitPattern: time)) }

    private func saveObjects<Rules: SyncRules>(_ replica: Replica<Rules>, over old: Replica<Rules>?) throws -> Bool {
        var isChanged = false
        var first: Int64 = 0
        let states = try StateBytes(connection)
        if let old, old.device == replica.device, old.number <= replica.number, let journal = replica.journal {
            // A change of an object, and of what is known of it, gives it a new number.
            first = old.number
            for key in journal.states.keys.sorted() where replica.objects[key] == nil {
                isChanged = true
                try connection.run(
                    "DELETE FROM \"po_sync_object\" WHERE \"class\" = ? AND \"key\" = ?",
                    [states.number(of: key.type), key.key.stored])
            }
        } else {
            (first, isChanged) = (-1, old != nil)
            try connection.run("DELETE FROM \"po_sync_object\"")
        }
        let sql: SQL = """
            INSERT INTO "po_sync_object" \
            ("class", "key", "number", "edited", "created", "creation", "place", "state") \
            VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "number" = excluded."number", \
            "edited" = excluded."edited", "created" = excluded."created", "creation" = excluded."creation", \
            "place" = excluded."place", "state" = excluded."state"
            """
        try replica.objects.forEach(touchedAfter: first) { key in
            guard let state = replica.objects[key] else { return }
            isChanged = true
            let place = replica.objects[place: key]
            let created = replica.objects[created: key]
            try connection.run(
                sql,
                [
                    states.number(of: key.type), key.key.stored, .integer(replica.objects[touched: key] ?? 0),
                    replica.objects[edited: key].map { .integer($0) } ?? .null,
                    created.map { .integer($0.number) } ?? .null, states.number(of: created?.group),
                    states.number(of: place), .blob(states.bytes(of: state, in: place)),
                ])
        }
        try states.save()
        return isChanged
    }

    private func replaceDevices<Rules: SyncRules>(_ replica: Replica<Rules>) throws {
        try connection.run("DELETE FROM \"po_sync_device\"")
        let insert: SQL = "INSERT INTO \"po_sync_device\" VALUES (?, ?, ?)"
        for device in replica.identities.sorted() {
            try connection.run(insert, [device.number.blob, .text("own"), .null])
        }
        for device in replica.retired.sorted() {
            try connection.run(insert, [device.number.blob, .text("retired"), .null])
        }
        for (device, time) in replica.heard.sorted(by: { $0.key < $1.key }) {
            try connection.run(insert, [device.number.blob, .text("heard"), StateTables.stored(time)])
        }
    }

    private func replaceGroups<Rules: SyncRules>(_ replica: Replica<Rules>) throws {
        for table in ["po_sync_group", "po_sync_member", "po_sync_receipt"] {
            try connection.run("DELETE FROM \(name: table)")
        }
        for (group, membership) in replica.groups.sorted(by: { $0.key < $1.key }) {
            try connection.run("INSERT INTO \"po_sync_group\" VALUES (?)", [group.number.blob])
            try set(StateTables.forgotten(in: group), to: .integer(membership.forgotten))
            for device in membership.members.union(membership.received.keys).union(membership.former).sorted() {
                let role = membership.members.contains(device) ? 1 : membership.former.contains(device) ? 2 : 0
                try connection.run(
                    "INSERT INTO \"po_sync_member\" VALUES (?, ?, ?, ?)",
                    [
                        group.number.blob, device.number.blob, .integer(Int64(role)),
                        membership.received[device].map { .integer($0) } ?? .null,
                    ])
            }
            for (member, receipts) in membership.receipts.sorted(by: { $0.key < $1.key }) {
                for (device, number) in receipts.sorted(by: { $0.key < $1.key }) {
                    try connection.run(
                        "INSERT INTO \"po_sync_receipt\" VALUES (?, ?, ?, ?)",
                        [group.number.blob, member.number.blob, device.number.blob, .integer(number)])
                }
            }
        }
    }
}
