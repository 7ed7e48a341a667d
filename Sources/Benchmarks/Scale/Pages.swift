import PersistentInspector
import PersistentObjects

/// An object to which many objects refer.
final class Stable: PersistentObject {
    var name = ""
    @Inverse(\Horse.stable) var horses: [Horse]
}

final class Horse: PersistentObject {
    var name = ""
    var age = 0
    var stable: Stable?
}

/// The pages of the inspector, next to the same queries over an open connection. A page opens the file, reads its
/// description and closes it.
func inspectorWorks() -> [Comparison] {
    [
        Comparison(
            "page of a class of n rows", .inspector, .ratioAnd(1.3, milliseconds: 2), on: .ownPlayers,
            operations: { _ in pageCount },
            ours: { trial in
                let pages = InspectorPages(path: trial.path)
                return try .timing {
                    try sum(pages, "/class/Player") { ["after": "\(trial.rows / pageCount * $0)"] }
                }
            },
            floor: { trial in
                try trial.onDatabase { database in
                    let count = try database.prepare("SELECT count(*) FROM (SELECT 1 FROM player LIMIT 100001)")
                    let page = try database.prepare("SELECT * FROM player WHERE id > ? ORDER BY id LIMIT 51")
                    return try .timing {
                        try (0..<pageCount).reduce(0) { sum, number in
                            while try count.step() {}
                            count.reset()
                            return sum + (try rows(of: page, after: Int64(trial.rows / pageCount * number), 50))
                        }
                    }
                }
            }),
        Comparison(
            "page of an object with 1,000 inverse objects", .inspector, .ratioAnd(1.3, milliseconds: 2), on: .nothing,
            operations: { _ in pageCount },
            ours: { trial in
                try fillStables(trial)
                let pages = InspectorPages(path: trial.path)
                return try .timing { try sum(pages, "/object/Stable/1") { _ in [:] } }
            },
            floor: { trial in
                try fillStables(trial)
                return try trial.onDatabase { database in
                    let object = try database.prepare("SELECT * FROM stable WHERE id = ?")
                    let count = try database.prepare("SELECT count(*) FROM horse WHERE stable_id = ?")
                    let horses = try database.prepare("SELECT * FROM horse WHERE stable_id = ? ORDER BY id LIMIT 10")
                    return try .timing {
                        try (0..<pageCount).reduce(0) { sum, _ in
                            _ = try rows(of: count, after: 1, 1)
                            _ = try rows(of: horses, after: 1, 10)
                            // A page has a row for each property.
                            return sum + 2 * (try rows(of: object, after: 1, 1))
                        }
                    }
                }
            }),
    ]
}

private let pageCount = 20

private func fillStables(_ trial: Trial) throws {
    let store = try Store(trial.path)
    try store.withSession { session in
        let stable = Stable()
        stable.name = "Stable"
        try session.save(
            (0..<1000).map { number in
                let horse = Horse()
                (horse.name, horse.age, horse.stable) = ("Horse \(number)", number % 30, stable)
                return horse
            })
    }
    store.close()
}

/// The number of rows in the first tables of pages.
private func sum(_ pages: InspectorPages, _ path: String, _ query: (Int) -> [String: String]) throws -> Int {
    try (0..<pageCount).reduce(0) { sum, number in
        for case .table(let table)? in try pages.page(path, query(number))?.sections.map(Optional.some) ?? [] {
            return sum + table.rows.count
        }
        return sum
    }
}

/// The number of rows of a statement, at most a limit, whose values are read as text.
private func rows(of statement: FloorStatement, after id: Int64, _ limit: Int) throws -> Int {
    defer { statement.reset() }
    try statement.bind(id, at: 1)
    var count = 0
    while count < limit, try statement.step() {
        _ = statement.optionalText(0)
        count += 1
    }
    return count
}
