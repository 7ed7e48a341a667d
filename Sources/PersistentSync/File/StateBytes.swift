internal import StoreEngine

/// The states of objects as the file stores them. Names, devices and groups are numbers, because most objects have the
/// same.
final class StateBytes {
    private let connection: any Connection
    private let written: WrittenNames
    private var groups: Interned<GroupID>
    private let shared = SharedNames()
    /// How many names, devices and groups the file has.
    private var stored: (names: Int, devices: Int, groups: Int)

    /// Reads the numbers of the file; use them in the same transaction.
    init(_ connection: any Connection) throws {
        self.connection = connection
        func values<Value: Hashable>(_ kind: Kind, _ value: (DatabaseValue) -> Value?) throws -> [Value] {
            let rows = try connection.rows(
                "SELECT \"number\", \"value\" FROM \"po_sync_term\" WHERE \"kind\" = ? ORDER BY \"number\"",
                [.text(kind.rawValue)])
            let values = rows.enumerated().compactMap { $1[0].integer == Int64($0) ? value($1[1]) : nil }
            guard Set(values).count == rows.count else {
                throw SyncError(.damagedBatch, "The table po_sync_term is damaged. Reset the device")
            }
            return values
        }
        written = WrittenNames(
            try values(.name) { if case .blob(let utf8) = $0 { Text(utf8: utf8) } else { nil } },
            try values(.device) { UInt128($0).map { DeviceID($0) } })
        groups = Interned(try values(.group) { UInt128($0).map { GroupID($0) } })
        stored = (written.names.values.count, written.devices.values.count, groups.values.count)
    }

    enum Kind: String {
        case name, device, group
    }

    // MARK: Writing

    func number(of name: Text) -> DatabaseValue { .integer(Int64(written.place(of: name))) }

    func number(of group: GroupID?) -> DatabaseValue {
        guard let group else { return .null }
        return .integer(Int64(groups.index(of: group)))
    }

    /// - Parameter place: The group in which the object is, as far as the device knows.
    func bytes(of state: ObjectState, in place: GroupID?) -> [UInt8] {
        PayloadWriter.bytes(of: state, in: place ?? StateBytes.noGroup, written)
    }

    /// Writes the new names, devices and groups.
    func save() throws {
        func add(_ kind: Kind, _ values: [DatabaseValue], after count: Int) throws {
            for (number, value) in values.enumerated().dropFirst(count) {
                try connection.run(
                    "INSERT INTO \"po_sync_term\" VALUES (?, ?, ?)",
                    [.text(kind.rawValue), .integer(Int64(number)), value])
            }
        }
        let (names, devices) = (written.names.values, written.devices.values)
        // The names of other devices need not be valid UTF-8.
        try add(.name, names.map { .blob($0.utf8) }, after: stored.names)
        try add(.device, devices.map(\.number.blob), after: stored.devices)
        try add(.group, groups.values.map(\.number.blob), after: stored.groups)
        stored = (names.count, devices.count, groups.values.count)
    }

    private static let noGroup = GroupID(0)

    // MARK: Reading

    func name(_ number: DatabaseValue) -> Text? { StateBytes.value(number, of: written.names) }
    func group(_ number: DatabaseValue) -> GroupID? { StateBytes.value(number, of: groups) }

    private static func value<Value>(_ number: DatabaseValue, of interned: Interned<Value>) -> Value? {
        guard let number = number.integer, interned.values.indices.contains(Int(clamping: number)) else { return nil }
        return interned.values[Int(number)]
    }

    /// - Throws: `SyncError` if another program has changed the bytes.
    func state(_ bytes: [UInt8], of key: ObjectKey, in place: GroupID?) throws(SyncError) -> ObjectState {
        do throws(SyncError) {
            return try PayloadReader.object(
                bytes[...], in: place ?? StateBytes.noGroup, written.names.values, written.devices.values,
                sharing: shared)
        } catch {
            throw SyncError(.damagedBatch, "What the file knows of \(key) is damaged. Reset the device")
        }
    }
}
