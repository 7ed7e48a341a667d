import PersistentObjects

/// A row with ten properties whose changes are captured for sync.
final class SharedRow: PersistentObject, WideRow {
    override class var identity: Identity { .uuid }
    override class var isSynced: Bool { true }
    var name = "", city = "", note = ""
    var first = 0, second = 0, third = 0, fourth = 0
    var factor = 0.0, share = 0.0
    var isDone = false
}

/// The same without sync.
final class OwnRow: PersistentObject, WideRow {
    override class var identity: Identity { .uuid }
    var name = "", city = "", note = ""
    var first = 0, second = 0, third = 0, fourth = 0
    var factor = 0.0, share = 0.0
    var isDone = false
}

private protocol WideRow: PersistentObject {
    init()
    var name: String { get set }
    var city: String { get set }
    var note: String { get set }
    var first: Int { get set }
    var second: Int { get set }
    var factor: Double { get set }
}

/// A synced class next to the same class that is not synced, both with the library.
func syncWorks() -> [Comparison] {
    [
        works("insert into a synced class", 1.25, insert, insert),
        works("edit of one property of a synced class", 1.8, edit, edit),
        works("deletion from a synced class", 1.8, delete, delete),
        works("save of one synced object, relaxed", 1.6, saveRelaxed, saveRelaxed, operations: some),
        works("save of one synced object, full durability", 1.1, saveDurably, saveDurably, operations: some),
        works("save of one synced object and all() of 1,000", 1.1, saveAndFetch, saveAndFetch, operations: some),
        Comparison(
            "insert into another class of a file with a synced one", .sync, .ratio(1.05), on: .nothing,
            ours: { trial in try onStore(trial, SharedRow.self) { try insert(OwnRow.self, $0, trial.rows) } },
            floor: { trial in try onStore(trial, OwnRow.self) { try insert(OwnRow.self, $0, trial.rows) } }),
    ]
}

private typealias TimedSide<Row> = @Sendable (Row.Type, Trial) throws -> Measurement

private func works(
    _ name: String, _ limit: Double, _ shared: @escaping TimedSide<SharedRow>, _ own: @escaping TimedSide<OwnRow>,
    operations count: @escaping @Sendable (Int) -> Int = { $0 }
) -> Comparison {
    Comparison(
        "\(name), against one that is not", .sync, .ratio(limit), on: .nothing, operations: count,
        ours: { try shared(SharedRow.self, $0) }, floor: { try own(OwnRow.self, $0) })
}

private func some(_ rows: Int) -> Int { max(1, rows / 100) }

private func makeRows<Row: WideRow>(_ type: Row.Type, _ count: Int) -> [Row] {
    (0..<count).map { number in
        let row = Row()
        (row.name, row.city, row.note) = ("name \(number)", "city \(number % 100)", "a note of some words")
        (row.first, row.second, row.factor) = (number, number % 7, Double(number) / 7)
        return row
    }
}

private func onStore<Row: WideRow>(
    _ trial: Trial, _ type: Row.Type, _ durability: Store.Configuration.Durability = .relaxed,
    _ body: (Session) throws -> Measurement
) throws -> Measurement {
    var configuration = Store.Configuration()
    configuration.durability = durability
    let store = try Store(trial.path, configuration: configuration)
    defer { store.close() }
    try store.prepare(type)
    return try store.withSession(body)
}

private func insert<Row: WideRow>(_ type: Row.Type, _ session: Session, _ count: Int) throws -> Measurement {
    _ = try Row.count()
    let rows = makeRows(type, count)
    return try Measurement.timing {
        try session.save(rows)
        return rows.count
    }
}

private func insert<Row: WideRow>(_ type: Row.Type, _ trial: Trial) throws -> Measurement {
    try onStore(trial, type) { try insert(type, $0, trial.rows) }
}

private func edit<Row: WideRow>(_ type: Row.Type, _ trial: Trial) throws -> Measurement {
    try onStore(trial, type) { session in
        let rows = makeRows(type, trial.rows)
        try session.save(rows)
        return try Measurement.timing {
            for row in rows { row.second += 1 }
            try session.saveChanges()
            return rows.count
        }
    }
}

private func delete<Row: WideRow>(_ type: Row.Type, _ trial: Trial) throws -> Measurement {
    try onStore(trial, type) { session in
        let rows = makeRows(type, trial.rows)
        try session.save(rows)
        return try Measurement.timing {
            try session.delete(rows)
            return rows.count
        }
    }
}

private func saveRelaxed<Row: WideRow>(_ type: Row.Type, _ trial: Trial) throws -> Measurement {
    try saveEach(type, trial, .relaxed)
}

private func saveDurably<Row: WideRow>(_ type: Row.Type, _ trial: Trial) throws -> Measurement {
    try saveEach(type, trial, .full)
}

private func saveEach<Row: WideRow>(
    _ type: Row.Type, _ trial: Trial, _ durability: Store.Configuration.Durability
) throws -> Measurement {
    try onStore(trial, type, durability) { session in
        let rows = makeRows(type, some(trial.rows))
        try session.save(rows)
        return try Measurement.timing {
            for row in rows {
                row.second += 1
                try row.save()
            }
            return rows.count
        }
    }
}

private func saveAndFetch<Row: WideRow>(_ type: Row.Type, _ trial: Trial) throws -> Measurement {
    try onStore(trial, type) { session in
        let rows = makeRows(type, 1000)
        try session.save(rows)
        return try Measurement.timing {
            var sum = 0
            for number in 0..<some(trial.rows) {
                rows[number % rows.count].second += 1
                try rows[number % rows.count].save()
                sum += try type.all().count
            }
            return sum
        }
    }
}
