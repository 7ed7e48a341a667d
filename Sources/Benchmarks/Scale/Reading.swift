import PersistentObjects

/// Queries that read many rows, or run often, and create no more objects than necessary.
func readingWorks() -> [Comparison] {
    [valuesOfOne, valuesOfTwo, batches, pages, totalsByCountry, countsThroughReferences]
}

private let valuesOfOne = Comparison(
    "values of one property", .reading, .ratio(1.3), on: .players,
    ours: { trial in
        try trial.inSession { _ in
            try Measurement.timing { try Player.query.values(of: \.age).reduce(0, &+) }
        }
    },
    floor: { trial in
        try trial.onFloor { table in
            let statement = try table.database.prepare("SELECT age FROM player")
            return try Measurement.timing { try statement.rows { Int($0.integer(0)) }.reduce(0, &+) }
        }
    })

private let valuesOfTwo = Comparison(
    "values of two properties", .reading, .ratio(1.3), on: .players,
    ours: { trial in
        try trial.inSession { _ in
            try Measurement.timing {
                try Player.query.values(of: \.email, \.score).reduce(0) { $0 &+ $1.0.utf8.count &+ Int($1.1) }
            }
        }
    },
    floor: { trial in
        try trial.onFloor { table in
            let statement = try table.database.prepare("SELECT email, score FROM player")
            return try Measurement.timing {
                try statement.rows { ($0.text(0), $0.real(1)) }.reduce(0) { $0 &+ $1.0.utf8.count &+ Int($1.1) }
            }
        }
    })

/// The other side uses the library to fetch all objects at once.
private let batches = Comparison(
    "for each batch of 500, beside all at once", .reading, .ratio(1.1), on: .ownPlayers,
    ours: { trial in
        try trial.inSession { _ in
            try Measurement.timing {
                var sum = 0
                try Player.query.forEachBatch(of: 500) { for player in $0 { sum &+= player.age } }
                return sum
            }
        }
    },
    floor: { trial in
        try trial.inSession { _ in
            try Measurement.timing { try Player.all().reduce(0) { $0 &+ $1.age } }
        }
    })

private let pages = Comparison(
    "pages of 50 in two orders, one behind another", .reading, .ratio(1.3), on: .players, operations: { _ in 200 },
    ours: { trial in
        try trial.inSession { _ in
            let order = Player.query.order(by: \.lastName).order(by: \.age, .descending)
            return try Measurement.timing {
                var sum = 0
                var page = try order.limit(50).all()
                for _ in 0..<200 {
                    guard let last = page.last else { break }
                    sum &+= page.reduce(0) { $0 &+ $1.age }
                    page = try order.after(last, limit: 50)
                }
                return sum
            }
        }
    },
    floor: { trial in
        try trial.onFloor { table in
            let columns = "id, first_name, last_name, email, age, score, created_at, active, nickname, team_id"
            let first = try table.database.prepare(
                "SELECT \(columns) FROM player ORDER BY last_name, age DESC, id LIMIT 50")
            let next = try table.database.prepare(
                """
                SELECT \(columns) FROM player WHERE last_name >= ?1
                AND (last_name > ?1 OR age < ?2 OR (age = ?2 AND id > ?3))
                ORDER BY last_name, age DESC, id LIMIT 50
                """)
            return try Measurement.timing {
                var sum = 0
                var page = try first.rows { FloorPlayer(row: $0) }
                for _ in 0..<200 {
                    guard let last = page.last else { break }
                    sum &+= page.reduce(0) { $0 &+ $1.age }
                    try next.bind(last.lastName, at: 1)
                    try next.bind(Int64(last.age), at: 2)
                    try next.bind(last.id, at: 3)
                    page = try next.rows { FloorPlayer(row: $0) }
                }
                return sum
            }
        }
    })

private let totalsByCountry = Comparison(
    "sums by an indexed text", .reading, .ratio(1.15), on: .shop, operations: { _ in 10 },
    ours: { trial in
        try trial.inSession(using: Invoice.self, Customer.self) { _ in
            try Measurement.timing {
                var sum = 0.0
                for _ in 0..<10 {
                    sum += try Invoice.query.sum(\.total, by: \.billingCountry).values.reduce(0, +)
                }
                return Int(sum)
            }
        }
    },
    floor: { trial in
        try trial.onDatabase { database in
            let statement = try database.prepare(
                "SELECT billing_country, sum(total) FROM invoice GROUP BY billing_country")
            return try Measurement.timing {
                var sum = 0.0
                for _ in 0..<10 {
                    var totals: [String: Double] = [:]
                    for (country, total) in try statement.rows({ ($0.text(0), $0.real(1)) }) {
                        totals[country] = total
                    }
                    sum += totals.values.reduce(0, +)
                }
                return Int(sum)
            }
        }
    })

private let countsThroughReferences = Comparison(
    "counts by a text behind two references", .reading, .ratio(1.15), on: .shop, operations: { _ in 100 },
    ours: { trial in
        try trial.inSession(using: Track.self, Album.self) { _ in
            try Measurement.timing {
                var sum = 0
                for number in 0..<100 {
                    sum += try Track.where { $0.album.artist.name == "Artist \(number)" }.count()
                }
                return sum
            }
        }
    },
    floor: { trial in
        try trial.onDatabase { database in
            let statement = try database.prepare(
                """
                SELECT count(*) FROM track LEFT JOIN album ON album.id = album_id
                LEFT JOIN artist ON artist.id = artist_id WHERE artist.name = ?
                """)
            return try Measurement.timing {
                var sum = 0
                for number in 0..<100 {
                    try statement.bind("Artist \(number)", at: 1)
                    sum += try statement.rows { Int($0.integer(0)) }.reduce(0, +)
                }
                return sum
            }
        }
    })
