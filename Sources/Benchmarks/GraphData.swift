/// The values of the n-th team, from 1 on, and its players. There is one team for each 100 rows.
struct TeamData: TeamValues {
    static let size = 20

    let name: String
    let number: Int
    let members: [PlayerData]

    private init(_ number: Int, rows: Int) {
        name = "Team\(number)"
        self.number = number
        members = (1...Self.size).map { PlayerData((number - 1) * Self.size + $0, rows: rows) }
    }

    static func count(rows: Int) -> Int { max(1, rows / 100) }

    static func all(rows: Int) -> [TeamData] { (1...count(rows: rows)).map { TeamData($0, rows: rows) } }
}

/// The values of the n-th list, from 1 on. There is one list for each 10 rows.
struct ListData: ListValues {
    static let size = 10

    let name: String
    let texts: [String]

    private init(_ number: Int) {
        name = "List\(number)"
        texts = (0..<Self.size).map { "text \(number * 7 % 1_000 + $0 * $0) of the list" }
    }

    /// The library's initial value of a child table's position column for an array index.
    static func position(_ index: Int) -> Int { (index + 1) * 1_024 }

    static func count(rows: Int) -> Int { max(1, rows / 10) }

    static func all(rows: Int) -> [ListData] { (1...count(rows: rows)).map { ListData($0) } }
}
