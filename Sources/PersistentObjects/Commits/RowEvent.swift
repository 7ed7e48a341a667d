internal import StoreEngine

/// The changes of commits to one row.
struct RowEvent: Sendable {
    enum Kind: Sendable {
        case inserted, updated, deleted
        /// Something changed, but it is unknown what changed.
        case unknown
    }

    /// The class of the row's object; nil if no row is known.
    let map: ClassMap?
    let id: Int64
    private(set) var kind: Kind
    /// The names of the properties that an update changed; nil if they are unknown.
    private(set) var properties: [String]?
    /// Whether subscribers to events do not receive it.
    private(set) var isSilent: Bool

    init(_ map: ClassMap, _ id: Int64, _ kind: Kind, _ properties: [String]?, isSilent: Bool) {
        self.map = map
        self.id = id
        self.kind = kind
        self.properties = kind == .updated ? properties : []
        self.isSilent = isSilent
    }

    private init() {
        map = nil
        id = 0
        kind = .unknown
        isSilent = false
    }

    static let unknown = RowEvent()

    /// Identifies the row.
    struct Key: Hashable {
        let root: ObjectIdentifier?
        let id: Int64
    }

    var key: Key { Key(root: map.map { ObjectIdentifier($0.root) }, id: id) }

    /// The combination of two consecutive events of a row; nil if they cancel out.
    func followed(by next: RowEvent) -> RowEvent? {
        var result = next
        result.isSilent = isSilent && next.isSilent
        switch (kind, next.kind) {
        case (.inserted, .deleted): return nil
        case (.inserted, _):
            result.kind = .inserted
            result.properties = []
        case (.updated, .updated): result.properties = RowEvent.joined(properties, next.properties)
        case (.deleted, .inserted), (.deleted, .updated):
            // The new row is a different row with the same id.
            result.kind = .updated
            result.properties = nil
        case (_, .deleted), (.unknown, _), (_, .unknown), (.updated, .inserted): break
        }
        return result
    }

    private static func joined(_ first: [String]?, _ second: [String]?) -> [String]? {
        guard let first, let second else { return nil }
        return first + second.filter { !first.contains($0) }
    }

    /// One event for each row, in the order of the rows' first events.
    static func coalesced(_ events: some Sequence<RowEvent>) -> [RowEvent] {
        var list = RowEventList<Key>()
        for event in events { list.add(event, event.key) }
        return list.events
    }
}

/// Events, one for each row.
struct RowEventList<Key: Hashable> {
    private var entries: [(key: Key, event: RowEvent)?] = []
    private var places: [Key: Int] = [:]

    var events: [RowEvent] { entries.compactMap { $0?.event } }

    mutating func add(_ event: RowEvent, _ key: Key) {
        guard let place = places[key], let first = entries[place] else {
            places[key] = entries.count
            entries.append((key, event))
            return
        }
        if let both = first.event.followed(by: event) {
            entries[place] = (key, both)
        } else {
            entries[place] = nil
            places[key] = nil
        }
    }
}

/// The changes of one commit.
struct CommitSummary: Sendable {
    /// One event for each row of a stored class, in the order in which the rows were first written.
    var events: [RowEvent] = []
    /// The tables whose rows were written, in lowercase.
    var tables: Set<String> = []
    /// Whether rows were written that SQLite does not report: the rows of collections.
    var hasUnreportedRows = false
    /// Whether the owners of some rows are unknown.
    var hasUnknownRows = false
    /// Whether the changes are unknown.
    var isUnknown = false
    /// The ids of the rows that were written, by table in lowercase.
    var rows: [String: [Int64]] = [:]
    /// Whether `rows` may be incomplete.
    var hasHiddenRows = false
    /// Whether tables were created, changed or dropped.
    var changesSchema = false
    /// The values of `WatchedColumns` in the written rows, by table and id; nil for a table if they were not read. A
    /// row that no longer exists has no values.
    var values: [String: [Int64: [DatabaseValue]]] = [:]
    /// The session that committed.
    var author: ObjectIdentifier?

    var isEmpty: Bool { tables.isEmpty && !hasUnreportedRows && !isUnknown && !changesSchema }

    static let unknown: CommitSummary = {
        var summary = CommitSummary()
        summary.isUnknown = true
        summary.hasUnreportedRows = true
        summary.hasUnknownRows = true
        summary.events = [.unknown]
        return summary
    }()
}

extension CommitSummary {
    /// Whether more may have changed than the events report.
    var isVague: Bool { isUnknown || hasHiddenRows || changesSchema }
}

extension RowEvent {
    /// Whether a row was inserted or deleted, or the value of one of these columns may have changed.
    func changes(anyOf columns: Set<String>) -> Bool {
        guard kind == .updated, let map, let properties else { return true }
        return properties.contains { name in
            // A subclass's property, which the event's class does not have, may be in any column.
            guard let ordinal = map.ordinal(of: name) else { return true }
            let property = map.properties[ordinal]
            return property.hasColumn && property.columns.contains { columns.contains(Naming.folded($0)) }
        }
    }
}
