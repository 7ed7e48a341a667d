import PersistentObjects

/// A name with an index, and words with a search index.
final class Town: PersistentObject {
    @Indexed var name = ""
    @Searchable var words = ""
}

/// Conditions on strings, and searches.
func textWorks() -> [Comparison] { [substrings, prefixedPatterns, searchCounts] }

private let substrings = Comparison(
    "count strings that contain another, ignoring case, compared with LIKE", .reading, .ratio(1.5), on: .nothing,
    ours: { trial in
        try onTowns(trial) { try Town.where { $0.name.contains("burg", ignoringCase: true) }.count() }
    },
    floor: { try counting("SELECT count(*) FROM town WHERE name LIKE '%burg%'", $0) })

private let prefixedPatterns = Comparison(
    "count strings that match ^S.*burg$, compared with GLOB", .reading, .ratio(3), on: .nothing,
    ours: { trial in try onTowns(trial) { try Town.where { $0.name.matches("^S.*burg$") }.count() } },
    floor: { try counting("SELECT count(*) FROM town WHERE name GLOB 'S*burg'", $0) })

private let searchCounts = Comparison(
    "count the results of a search, 20 times", .reading, .ratio(1.1), on: .nothing, operations: { _ in 20 },
    ours: { trial in
        try onTowns(trial) {
            var sum = 0
            for _ in 0..<20 { sum += try Town.search("sa*").count() }
            return sum
        }
    },
    floor: { trial in
        try counting("SELECT count(*) FROM town_search WHERE town_search MATCH '\"sa\"*'", trial, times: 20)
    })

private func onTowns(_ trial: Trial, _ body: () throws -> Int) throws -> Measurement {
    try saveTowns(trial)
    return try trial.inSession(using: Town.self, Town.self) { _ in try Measurement.timing(body) }
}

private func counting(_ sql: String, _ trial: Trial, times: Int = 1) throws -> Measurement {
    try saveTowns(trial)
    return try trial.onDatabase { database in
        let statement = try database.prepare(sql)
        return try Measurement.timing {
            var sum = 0
            for _ in 0..<times { sum += try statement.rows { Int($0.integer(0)) }.reduce(0, +) }
            return sum
        }
    }
}

/// The same names, in the library's file for both sides.
private func saveTowns(_ trial: Trial) throws {
    let starts = ["San", "Alten", "Ham", "Salz", "Saint", "Neu", "Mün", "Stras", "Kel", "Luxem"]
    let ends = ["burg", "ville", "berg", "stadt", "feld", "dorf", "heim", "BURG", "münde"]
    let words = ["sand", "salt", "sun", "moon", "sea", "tree", "river", "stone"]
    try trial.inSession(using: Town.self, Town.self) { session in
        try session.save(
            (0..<trial.rows).map { number in
                let town = Town()
                town.name = "\(starts[number % 10]) \(number / 90)\(ends[number / 10 % 9])"
                town.words = "\(words[number % 8]) \(words[number / 8 % 8]) number \(number)"
                return town
            })
    }
}
