#if PostgreSQL
    import Foundation

    /// The hand-written side's table of players on a server.
    struct FloorServerPlayers {
        private let server: FloorServer
        static let columns = "first_name, last_name, email, age, score, created_at, active, nickname, team_id"

        /// Prepares the statements. The table must exist.
        init(_ server: FloorServer) throws {
            self.server = server
            let selection = "SELECT id, \(Self.columns) FROM player"
            try server.prepare("all", "\(selection) ORDER BY id")
            try server.prepare("by_id", "\(selection) WHERE id = $1::bigint")
            try server.prepare("by_name", "\(selection) WHERE last_name = $1::text ORDER BY id")
        }

        func all() throws -> [FloorPlayer] {
            try server.rows(of: "all", nil) { rows in (0..<rows.count).map { FloorPlayer(rows, $0) } }
        }

        func find(_ id: Int64) throws -> FloorPlayer? {
            try withUnsafeBytes(of: id.bigEndian) {
                try server.rows(of: "by_id", $0) { $0.count > 0 ? FloorPlayer($0, 0) : nil }
            }
        }

        func find(lastName: String) throws -> [FloorPlayer] {
            var lastName = lastName
            return try lastName.withUTF8 {
                try server.rows(of: "by_name", UnsafeRawBufferPointer($0)) { rows in
                    (0..<rows.count).map { FloorPlayer(rows, $0) }
                }
            }
        }

        /// Inserts all players in one transaction, in the fastest way. Their ids are their positions, from 1.
        func insert(_ players: [FloorPlayer]) throws {
            var place = 0
            try insert {
                guard place < players.count else { return nil }
                place += 1
                players[place - 1].id = Int64(place)
                return players[place - 1]
            }
        }

        /// Inserts the players that `next` returns, with their ids, until it returns nil.
        func insert(_ next: () throws -> FloorPlayer?) throws {
            try server.execute("BEGIN")
            try server.copy("COPY player (id, \(Self.columns)) FROM STDIN BINARY") { send in
                var message = CopyMessage()
                message.begin()
                while let player = try next() {
                    player.append(to: &message)
                    if message.bytes.count > 1 << 16 {
                        try send(message.bytes)
                        message.clear()
                    }
                }
                message.append(Int16(-1))
                try send(message.bytes)
            }
            try server.execute("COMMIT")
        }
    }

    /// Rows in the binary form of COPY (https://www.postgresql.org/docs/15/sql-copy.html).
    struct CopyMessage {
        private(set) var bytes: [UInt8] = []

        mutating func begin() {
            bytes += Array("PGCOPY\n".utf8) + [0xFF, 13, 10, 0]
            append(Int64(0))
        }

        mutating func clear() { bytes.removeAll(keepingCapacity: true) }

        @inline(__always) mutating func append(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        }

        @inline(__always) mutating func append(value number: Int64?) {
            guard let number else { return append(Int32(-1)) }
            append(Int32(8))
            append(number)
        }

        @inline(__always) mutating func append(value text: String?) {
            guard var text else { return append(Int32(-1)) }
            text.withUTF8 {
                append(Int32($0.count))
                bytes.append(contentsOf: $0)
            }
        }
    }

    extension FloorPlayer {
        /// The player in a row.
        @inline(__always)
        convenience init(_ rows: FloorRows, _ row: Int32) {
            self.init(
                id: rows.integer(row, 0), firstName: rows.text(row, 1), lastName: rows.text(row, 2),
                email: rows.text(row, 3), age: Int(rows.integer(row, 4)), score: rows.real(row, 5),
                createdAt: Date(timeIntervalSinceReferenceDate: rows.real(row, 6)), active: rows.integer(row, 7) != 0,
                nickname: rows.isNull(row, 8) ? nil : rows.text(row, 8),
                teamId: rows.isNull(row, 9) ? nil : Int(rows.integer(row, 9)))
        }

        @inline(__always)
        fileprivate func append(to message: inout CopyMessage) {
            message.append(Int16(10))
            message.append(value: id)
            message.append(value: firstName)
            message.append(value: lastName)
            message.append(value: email)
            message.append(value: Int64(age))
            message.append(value: Int64(bitPattern: score.bitPattern))
            message.append(value: Int64(bitPattern: createdAt.timeIntervalSinceReferenceDate.bitPattern))
            message.append(value: Int64(active ? 1 : 0))
            message.append(value: nickname)
            message.append(value: teamId.map { Int64($0) })
        }
    }
#endif
