import PersistentObjects

/// A row with a history.
final class Kept: PersistentObject {
    override class var keepsHistory: Bool { true }
    @Unique var code = 0
    var name = ""
    var number = 0
    var factor = 0.0
}

/// The same without one.
final class Unkept: PersistentObject {
    @Unique var code = 0
    var name = ""
    var number = 0
    var factor = 0.0
}

private protocol TimedRow: PersistentObject {
    init()
    var code: Int { get set }
    var name: String { get set }
    var number: Int { get set }
}

extension Kept: TimedRow {}
extension Unkept: TimedRow {}

/// A class with a history next to the same class without one.
func historyWorks() -> [Comparison] {
    [
        Comparison(
            "insert with history, against the same without", .shapes, .ratio(5), on: .nothing,
            ours: { try insert(Kept.self, $0) }, floor: { try insert(Unkept.self, $0) }),
        Comparison(
            "edit with history, against the same without", .shapes, .ratio(5), on: .nothing,
            ours: { try edit(Kept.self, $0) }, floor: { try edit(Unkept.self, $0) }),
        Comparison(
            "undo of an edit of each, against the edit", .shapes, .ratio(5), on: .nothing,
            ours: { try undo($0) }, floor: { try edit(Unkept.self, $0) }),
    ]
}

private func makeRows<R: TimedRow>(_ type: R.Type, _ count: Int) -> [R] {
    (0..<count).map { number in
        let row = R()
        (row.code, row.name, row.number) = (number, "name \(number)", number)
        return row
    }
}

private func insert<R: TimedRow>(_ type: R.Type, _ trial: Trial) throws -> Measurement {
    try trial.inSession(using: R.self, R.self) { session in
        let rows = makeRows(type, trial.rows)
        return try Measurement.timing {
            try session.save(rows)
            return rows.count
        }
    }
}

private func edit<R: TimedRow>(_ type: R.Type, _ trial: Trial) throws -> Measurement {
    try trial.inSession(using: R.self, R.self) { session in
        let rows = makeRows(type, trial.rows)
        try session.save(rows)
        return try Measurement.timing {
            for row in rows { row.number += 5 }
            try session.saveChanges()
            return rows.count
        }
    }
}

private func undo(_ trial: Trial) throws -> Measurement {
    try trial.inSession(using: Unkept.self, Unkept.self) { session in
        let rows = makeRows(Unkept.self, trial.rows)
        try session.save(rows)
        session.recordsUndo = true
        for row in rows { row.number += 5 }
        try session.saveChanges()
        return try Measurement.timing { try session.undo() ? rows.count : 0 }
    }
}
