/// A row with references or a key, as a program writes it by hand.
class FloorNumbered {
    var id: Int64 = 0
    let number: Int
    let text: String

    init(_ number: Int, _ text: String) { (self.number, self.text) = (number, text) }
}

final class FloorVisit: FloorNumbered {
    var place: FloorNumbered?
}

final class FloorTrip: FloorNumbered {
    var start, end, stop, home: FloorNumbered?
}

final class FloorMark: FloorNumbered {
    var key = 0
}

final class FloorArticle: FloorNumbered {
    let stock: Int

    init(_ number: Int, _ text: String, _ stock: Int) {
        self.stock = stock
        super.init(number, text)
    }
}

/// The tables as the library creates them, each for one work, and their prepared statements.
final class FloorVisits {
    private let database: FloorDatabase

    init(_ database: FloorDatabase) throws {
        self.database = database
        func table(_ name: String, _ columns: [String]) -> String {
            let references = columns.map { "\($0) INTEGER REFERENCES place (id) DEFERRABLE INITIALLY DEFERRED" }
            let all = ["id INTEGER PRIMARY KEY AUTOINCREMENT", "number INTEGER NOT NULL", "text TEXT NOT NULL"]
            return "CREATE TABLE IF NOT EXISTS \(name) (\((all + references).joined(separator: ", "))) STRICT;"
                + columns.map { "CREATE INDEX IF NOT EXISTS \(name)_\($0) ON \(name) (\($0));" }.joined()
        }
        try database.execute(
            """
            CREATE TABLE IF NOT EXISTS place (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL) STRICT;
            \(table("visit", ["place_id"]))
            \(table("trip", ["start_id", "end_id", "stop_id", "home_id"]))
            CREATE TABLE IF NOT EXISTS mark (id INTEGER PRIMARY KEY AUTOINCREMENT, number INTEGER NOT NULL,
                text TEXT NOT NULL, key INTEGER NOT NULL) STRICT;
            CREATE INDEX IF NOT EXISTS mark_key ON mark (key);
            CREATE TABLE IF NOT EXISTS article (id INTEGER PRIMARY KEY AUTOINCREMENT, number INTEGER NOT NULL,
                text TEXT NOT NULL, stock INTEGER NOT NULL) STRICT;
            CREATE UNIQUE INDEX IF NOT EXISTS article_number ON article (number);
            """)
    }

    /// Inserts a number of places.
    func places(_ count: Int) throws -> [FloorNumbered] {
        let insertion = try database.prepare("INSERT INTO place (name) VALUES ('')")
        let places = (0..<count).map { FloorNumbered($0, "") }
        try database.inTransaction {
            for place in places {
                try insertion.run()
                place.id = database.lastInsertedID
            }
        }
        return places
    }

    /// Inserts all rows in one transaction; `bind` binds the values after the number and the string.
    @inline(__always)
    func insert<Row: FloorNumbered>(
        _ rows: [Row], _ table: String, _ columns: [String], _ bind: (Row, FloorStatement) throws -> Void
    ) throws {
        let names = ["number", "text"] + columns
        let insertion = try database.prepare(
            """
            INSERT INTO \(table) (\(names.joined(separator: ", ")))
            VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
            """)
        try database.inTransaction {
            for row in rows {
                try insertion.bind(Int64(row.number), at: 1)
                try insertion.bind(row.text, at: 2)
                try bind(row, insertion)
                try insertion.run()
                row.id = database.lastInsertedID
            }
        }
    }

    func insert(_ visits: [FloorVisit]) throws {
        try insert(visits, "visit", ["place_id"]) { visit, row in try row.bind(visit.place?.id, at: 3) }
    }

    func insert(_ trips: [FloorTrip]) throws {
        try insert(trips, "trip", ["start_id", "end_id", "stop_id", "home_id"]) { trip, row in
            try row.bind(trip.start?.id, at: 3)
            try row.bind(trip.end?.id, at: 4)
            try row.bind(trip.stop?.id, at: 5)
            try row.bind(trip.home?.id, at: 6)
        }
    }

    func insert(_ marks: [FloorMark]) throws {
        try insert(marks, "mark", ["key"]) { mark, row in try row.bind(Int64(mark.key), at: 3) }
    }

    /// Inserts all rows in one transaction, with the clause `conflict` for rows with an existing number; each gets the id
    /// that the statement returns.
    func insert(_ articles: [FloorArticle], onConflict conflict: String) throws {
        let insertion = try database.prepare(
            """
            INSERT INTO article (number, text, stock) VALUES (?, ?, ?)
            ON CONFLICT (number) DO \(conflict) RETURNING id
            """)
        try database.inTransaction {
            for article in articles {
                try insertion.bind(Int64(article.number), at: 1)
                try insertion.bind(article.text, at: 2)
                try insertion.bind(Int64(article.stock), at: 3)
                while try insertion.step() { article.id = insertion.integer(0) }
                insertion.reset()
            }
        }
    }

    /// Writes the key of each row in one transaction.
    func updateKeys(_ marks: [FloorMark]) throws {
        let change = try database.prepare("UPDATE mark SET key = ? WHERE id = ?")
        try database.inTransaction {
            for mark in marks {
                try change.bind(Int64(mark.key), at: 1)
                try change.bind(mark.id, at: 2)
                try change.run()
            }
        }
    }
}

extension FloorStatement {
    @inline(__always)
    fileprivate func bind(_ id: Int64?, at position: Int32) throws { try bind(id.map { Int($0) }, at: position) }
}

extension VisitData {
    static func floorVisits(_ rows: Int, _ places: [FloorNumbered]) -> [FloorVisit] {
        (0..<rows).map { row in
            let visit = FloorVisit(row, text)
            visit.place = places[place(row, 0, rows)]
            return visit
        }
    }

    static func floorTrips(_ rows: Int, _ places: [FloorNumbered]) -> [FloorTrip] {
        (0..<rows).map { row in
            let trip = FloorTrip(row, text)
            (trip.start, trip.end) = (places[place(row, 0, rows)], places[place(row, 1, rows)])
            (trip.stop, trip.home) = (places[place(row, 2, rows)], places[place(row, 3, rows)])
            return trip
        }
    }

    static func floorArticles(_ numbers: some Sequence<Int>, stock: Int) -> [FloorArticle] {
        numbers.map { FloorArticle($0, text, stock) }
    }

    static func floorMarks(_ rows: Int) -> [FloorMark] {
        (0..<rows).map { row in
            let mark = FloorMark(row, text)
            mark.key = key(row)
            return mark
        }
    }
}
