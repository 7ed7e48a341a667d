/// A hand-written object with an array of strings.
final class FloorList: ListValues {
    /// 0 until inserted.
    var id: Int64
    var name: String
    var texts: [String]

    init(_ data: ListData) {
        id = 0
        name = data.name
        texts = data.texts
    }

    @inline(__always)
    init(row: FloorStatement) {
        id = row.integer(0)
        name = row.text(1)
        texts = []
    }
}

/// The tables of lists and their strings.
final class FloorLists {
    private let database: FloorDatabase
    private let insertion, textInsertion, allLists, allTexts: FloorStatement

    /// Creates the tables if they do not exist, in the same form as the library.
    init(_ database: FloorDatabase) throws {
        self.database = database
        try database.execute(
            """
            CREATE TABLE IF NOT EXISTS text_list (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL) STRICT;
            CREATE TABLE IF NOT EXISTS text_list_texts (
                owner_id INTEGER NOT NULL REFERENCES text_list (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
                position INTEGER NOT NULL,
                value TEXT NOT NULL,
                PRIMARY KEY (owner_id, position)
            ) STRICT, WITHOUT ROWID;
            """)
        insertion = try database.prepare("INSERT INTO text_list (name) VALUES (?)")
        textInsertion = try database.prepare("INSERT INTO text_list_texts (owner_id, position, value) VALUES (?, ?, ?)")
        allLists = try database.prepare("SELECT id, name FROM text_list")
        allTexts = try database.prepare("SELECT owner_id, value FROM text_list_texts ORDER BY owner_id, position")
    }

    /// All lists with their strings, from two queries that are merged by list.
    func all() throws -> [FloorList] {
        var lists: [FloorList] = []
        do {
            defer { allLists.reset() }
            while try allLists.step() { lists.append(FloorList(row: allLists)) }
        }
        defer { allTexts.reset() }
        var next = 0
        while try allTexts.step() {
            let list = allTexts.integer(0)
            while next < lists.count, lists[next].id != list { next += 1 }
            guard next < lists.count else { break }
            lists[next].texts.append(allTexts.text(1))
        }
        return lists
    }

    /// Inserts all lists in one transaction.
    func insert(_ lists: [FloorList]) throws {
        try database.inTransaction {
            for list in lists {
                try insertion.bind(list.name, at: 1)
                try insertion.run()
                list.id = database.lastInsertedID
                for (index, text) in list.texts.enumerated() {
                    try textInsertion.bind(list.id, at: 1)
                    try textInsertion.bind(Int64(ListData.position(index)), at: 2)
                    try textInsertion.bind(text, at: 3)
                    try textInsertion.run()
                }
            }
        }
    }
}
