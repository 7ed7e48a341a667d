internal import PersistentObjects
internal import StoreEngine

/// What the replica of a store knows, in the tables of the file.
struct StateTables {
    let connection: any Connection

    init(_ connection: any Connection) { self.connection = connection }

    /// Whether the file has a replica.
    var exist: Bool { get throws { try connection.schema.definition(of: "po_sync_self") != nil } }

    func create() throws {
        for definition in StateTables.definitions { try connection.execute(definition) }
        try set("format", to: .integer(StateTables.format))
    }

    private static let format: Int64 = 1

    /// Throws if a later version of the library created the tables.
    func checkFormat() throws {
        let found = try value("format")?.integer ?? StateTables.format
        guard found > StateTables.format else { return }
        throw SyncError(
            .newerFormat,
            "A later version of the library has synchronized this file. Nothing was changed. Update the program")
    }

    private static let definitions: [SQL] = [
        "CREATE TABLE \"po_sync_self\" (\"name\" TEXT PRIMARY KEY, \"value\" ANY) STRICT",
        "CREATE TABLE \"po_sync_device\" (\"device\" BLOB NOT NULL, \"role\" TEXT NOT NULL, \"time\" INTEGER) STRICT",
        "CREATE TABLE \"po_sync_group\" (\"grp\" BLOB PRIMARY KEY) STRICT",
        """
        CREATE TABLE "po_sync_member" ("grp" BLOB NOT NULL, "device" BLOB NOT NULL, "member" INTEGER NOT NULL, \
        "received" INTEGER) STRICT
        """,
        """
        CREATE TABLE "po_sync_receipt" ("grp" BLOB NOT NULL, "member" BLOB NOT NULL, "device" BLOB NOT NULL, \
        "received" INTEGER NOT NULL) STRICT
        """,
        "CREATE TABLE \"po_sync_floor\" (\"class\" TEXT PRIMARY KEY, \"life\" INTEGER NOT NULL) STRICT",
        "CREATE TABLE \"po_sync_number\" (\"number\" INTEGER PRIMARY KEY, \"time\" INTEGER NOT NULL) STRICT",
        """
        CREATE TABLE "po_sync_term" ("kind" TEXT NOT NULL, "number" INTEGER NOT NULL, "value" ANY NOT NULL, \
        PRIMARY KEY ("kind", "number")) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE "po_sync_object" ("class" INTEGER NOT NULL, "key" ANY NOT NULL, "number" INTEGER NOT NULL, \
        "edited" INTEGER, "created" INTEGER, "creation" INTEGER, "place" INTEGER, "state" BLOB NOT NULL, \
        PRIMARY KEY ("class", "key")) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE "po_sync_chosen" ("class" TEXT NOT NULL, "row" INTEGER NOT NULL, "grp" BLOB NOT NULL, \
        UNIQUE ("class", "row")) STRICT
        """,
        "CREATE TABLE \"po_sync_shape\" (\"name\" TEXT PRIMARY KEY, \"shape\" TEXT NOT NULL) STRICT",
    ]

    // MARK: Single values

    func value(_ name: String) throws -> DatabaseValue? {
        try connection.rows("SELECT \"value\" FROM \"po_sync_self\" WHERE \"name\" = ?", [.text(name)]).first?[0]
    }

    func set(_ name: String, to value: DatabaseValue) throws {
        try connection.run("INSERT OR REPLACE INTO \"po_sync_self\" VALUES (?, ?)", [.text(name), value])
    }

    /// The number of the last change of the tables.
    var version: Int64 { get throws { try value("version")?.integer ?? 0 } }

    /// The classes whose rows showed the states at `presented`, with their declarations.
    var shapes: [String: String] {
        get throws {
            let rows = try connection.rows("SELECT \"name\", \"shape\" FROM \"po_sync_shape\"")
            return Dictionary(
                rows.map { ($0[0].text ?? "", $0[1].text ?? "") }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// Whether the rows show the states, and the classes are declared as they were then.
    func arePresented(by declarations: [String: String]) throws -> Bool {
        let recorded = try self.shapes
        return try declarations.allSatisfy { recorded[$0] == $1 } && value("presented")?.integer == version
    }

    /// The declarations of classes, by name.
    static func declarations(of shapes: [SyncedShape]) -> [String: String] {
        Dictionary(
            shapes.map { ($0.name, "\($0)\n\(DeclaredProperties.text($0))") }, uniquingKeysWith: { first, _ in first })
    }

    /// Throws if a class has the table of another one that was synced, and does not declare its former name.
    func refuseRenamed(_ shapes: [SyncedShape]) throws {
        let recorded = try self.shapes
        for shape in shapes where !shape.hasClassColumn && recorded[shape.name] == nil {
            let tables = ([shape.table] + shape.formerTables).map { $0.lowercased() }
            for (name, declaration) in recorded.sorted(by: { $0.key < $1.key })
            where !shapes.contains(where: { $0.name == name }) {
                guard let other = DeclaredProperties(in: declaration, renamedBy: nil),
                    tables.contains(other.table.lowercased())
                else { continue }
                throw SchemaError.notSyncable(
                    className: shape.className, property: nil,
                    reason:
                        "its table \"\(shape.table)\" was that of the class \(name), by whose name other devices know "
                        + "its objects. Write override class var formerNames: [String] { [\"\(name)\"] }")
            }
        }
    }

    func add(_ shapes: [String: String]) throws {
        for (name, shape) in shapes.sorted(by: { $0.key < $1.key }) {
            try connection.run("INSERT OR REPLACE INTO \"po_sync_shape\" VALUES (?, ?)", [.text(name), .text(shape)])
        }
    }

    // MARK: Objects

    /// Reads everything that the replica knows.
    func replica<Rules: SyncRules>(classes: [Text: ClassShape], rules: Rules.Type) throws -> Replica<Rules>? {
        guard var replica = try replicaWithoutObjects(classes: classes, rules: rules) else { return nil }
        try readObjects(&replica)
        return replica
    }

    /// Reads what the replica knows of its device and its groups.
    func replicaWithoutObjects<Rules: SyncRules>(
        classes: [Text: ClassShape], rules: Rules.Type
    ) throws -> Replica<Rules>? {
        guard let own = try value("device"), let number = UInt128(own) else { return nil }
        var replica = Replica(DeviceID(number), classes: classes, rules: rules)
        replica.counting = try value("counter").flatMap { UInt128($0) }.map { DeviceID($0) } ?? replica.device
        replica.clock = DeviceClock(last: UInt64(bitPattern: try value("clock")?.integer ?? 0))
        replica.number = try value("number")?.integer ?? 0
        replica.lastElement = try value("element")?.integer ?? 0
        replica.lastEdit = try value("edit")?.integer ?? replica.number
        replica.isRetired = try value("retired")?.integer == 1
        for row in try connection.rows("SELECT \"device\", \"role\", \"time\" FROM \"po_sync_device\"") {
            guard let device = UInt128(row[0]).map({ DeviceID($0) }) else { continue }
            switch row[1].text {
            case "retired": replica.retired.insert(device)
            case "own": replica.identities.insert(device)
            default: replica.heard[device] = row[2].integer.map { UInt64(bitPattern: $0) }
            }
        }
        try readGroups(&replica)
        for row in try connection.rows("SELECT \"class\", \"life\" FROM \"po_sync_floor\"") {
            replica.floor[Text(row[0].text ?? "")] = row[1].integer
        }
        for row in try connection.rows("SELECT \"number\", \"time\" FROM \"po_sync_number\"") {
            replica.clocks[row[0].integer ?? 0] = UInt64(bitPattern: row[1].integer ?? 0)
        }
        return replica
    }

    /// The number of objects in a group with an edit after a number.
    func editedCount(in group: GroupID, after number: Int64) throws -> Int {
        let rows = try connection.rows(
            """
            SELECT count(*) FROM "po_sync_object" WHERE "edited" > ? AND "place" = \
            (SELECT "number" FROM "po_sync_term" WHERE "kind" = ? AND "value" = ?)
            """, [.integer(number), .text(StateBytes.Kind.group.rawValue), group.number.blob])
        return Int(rows.first?[0].integer ?? 0)
    }

    private func readObjects<Rules: SyncRules>(_ replica: inout Replica<Rules>) throws {
        let sql: SQL = """
            SELECT "class", "key", "number", "edited", "created", "creation", "place", "state" FROM "po_sync_object"
            """
        let size = Int(try connection.rows("SELECT count(*) FROM \"po_sync_object\"").first?[0].integer ?? 0)
        replica.objects.reserveCapacity(size)
        let states = try StateBytes(connection)
        try connection.forEachRow(of: sql) { row in
            guard let type = states.name(row[0]), let value = KeyValue(row[1]), case .blob(let bytes) = row[7] else {
                throw SyncError(.damagedBatch, "The table po_sync_object is damaged. Reset the device")
            }
            let key = ObjectKey(type, value)
            let place = states.group(row[6])
            replica.objects[key] = try states.state(bytes, of: key, in: place)
            replica.objects[touched: key] = row[2].integer
            replica.objects[edited: key] = row[3].integer
            if let created = row[4].integer, let group = states.group(row[5]) {
                replica.objects[created: key] = .init(number: created, group: group)
            }
            replica.objects[place: key] = place
        }
    }

    var groups: [GroupID] {
        get throws {
            try connection.rows("SELECT \"grp\" FROM \"po_sync_group\"").compactMap { row in
                UInt128(row[0]).map { GroupID($0) }
            }
        }
    }

    /// The name of the number of a group's last forgotten deletion.
    static func forgotten(in group: GroupID) -> String { "forgotten \(HexName.text(group.number))" }

    private func readGroups<Rules: SyncRules>(_ replica: inout Replica<Rules>) throws {
        for group in try groups {
            replica.groups[group] = .init()
            replica.groups[group]?.forgotten = try value(StateTables.forgotten(in: group))?.integer ?? 0
        }
        for row in try connection.rows("SELECT \"grp\", \"device\", \"member\", \"received\" FROM \"po_sync_member\"") {
            guard let group = UInt128(row[0]).map({ GroupID($0) }), let device = UInt128(row[1]).map({ DeviceID($0) })
            else { continue }
            switch row[2].integer {
            case 1: replica.groups[group]?.members.insert(device)
            case 2: replica.groups[group]?.former.insert(device)
            default: break
            }
            replica.groups[group]?.received[device] = row[3].integer
        }
        for row in try connection.rows(
            "SELECT \"grp\", \"member\", \"device\", \"received\" FROM \"po_sync_receipt\"")
        {
            guard let group = UInt128(row[0]).map({ GroupID($0) }), let member = UInt128(row[1]).map({ DeviceID($0) }),
                let device = UInt128(row[2]).map({ DeviceID($0) })
            else { continue }
            replica.groups[group]?.receipts[member, default: [:]][device] = row[3].integer
        }
    }
}
