import PersistentObjects

/// An object with 3 properties.
final class NarrowRow: PersistentObject {
    var name = ""
    var number = 0
    var factor = 0.0
}

/// An object with 40 properties.
final class BroadRow: PersistentObject {
    var text1 = "", text2 = "", text3 = "", text4 = "", text5 = "", text6 = "", text7 = "", text8 = "", text9 = ""
    var text10 = "", text11 = "", text12 = ""
    var number1 = 0, number2 = 0, number3 = 0, number4 = 0, number5 = 0, number6 = 0, number7 = 0, number8 = 0
    var number9 = 0, number10 = 0, number11 = 0, number12 = 0
    var factor1 = 0.0, factor2 = 0.0, factor3 = 0.0, factor4 = 0.0, factor5 = 0.0, factor6 = 0.0, factor7 = 0.0
    var factor8 = 0.0
    var sparse1: Int?, sparse2: Int?, sparse3: Int?, sparse4: Int?
    var remark1: String?, remark2: String?, remark3: String?, remark4: String?
}

private final class FloorNarrowRow {
    let id: Int64
    let name: String
    let number: Int
    let factor: Double

    init(_ row: FloorStatement) {
        (id, name, number, factor) = (row.integer(0), row.text(1), Int(row.integer(2)), row.real(3))
    }
}

private final class FloorBroadRow {
    let id: Int64
    let text1, text2, text3, text4, text5, text6, text7, text8, text9, text10, text11, text12: String
    let number1, number2, number3, number4, number5, number6, number7, number8, number9, number10, number11: Int
    let number12: Int
    let factor1, factor2, factor3, factor4, factor5, factor6, factor7, factor8: Double
    let sparse1, sparse2, sparse3, sparse4: Int?
    let remark1, remark2, remark3, remark4: String?

    init(_ row: FloorStatement) {
        (id, text1, text2, text3, text4) = (row.integer(0), row.text(1), row.text(2), row.text(3), row.text(4))
        (text5, text6, text7, text8) = (row.text(5), row.text(6), row.text(7), row.text(8))
        (text9, text10, text11, text12) = (row.text(9), row.text(10), row.text(11), row.text(12))
        (number1, number2, number3) = (Int(row.integer(13)), Int(row.integer(14)), Int(row.integer(15)))
        (number4, number5, number6) = (Int(row.integer(16)), Int(row.integer(17)), Int(row.integer(18)))
        (number7, number8, number9) = (Int(row.integer(19)), Int(row.integer(20)), Int(row.integer(21)))
        (number10, number11, number12) = (Int(row.integer(22)), Int(row.integer(23)), Int(row.integer(24)))
        (factor1, factor2, factor3, factor4) = (row.real(25), row.real(26), row.real(27), row.real(28))
        (factor5, factor6, factor7, factor8) = (row.real(29), row.real(30), row.real(31), row.real(32))
        (sparse1, sparse2) = (row.optionalInteger(33), row.optionalInteger(34))
        (sparse3, sparse4) = (row.optionalInteger(35), row.optionalInteger(36))
        (remark1, remark2) = (row.optionalText(37), row.optionalText(38))
        (remark3, remark4) = (row.optionalText(39), row.optionalText(40))
    }
}

/// The columns of `BroadRow` in the order of its properties.
private let broadColumns =
    ((1...12).map { "text\($0)" } + (1...12).map { "number\($0)" } + (1...8).map { "factor\($0)" }
    + (1...4).map { "sparse\($0)" } + (1...4).map { "remark\($0)" }).joined(separator: ", ")

/// The objects whose memory is measured, by the number of their properties.
enum MemoryShape: Int, CaseIterable {
    case narrow = 3, broad = 40

    /// Writes the rows with the library; both sides load them.
    static func save(rows: Int, in session: Session) throws {
        try session.save(
            (0..<rows).map { number in
                let row = NarrowRow()
                (row.name, row.number, row.factor) = ("Row \(number)", number, Double(number) / 8)
                return row
            })
        try session.save(
            (0..<rows).map { number in
                let row = BroadRow()
                (row.text1, row.text5, row.text9) = ("Text \(number)", "A text of more than fifteen bytes", "short")
                (row.number1, row.number6, row.factor1) = (number, number * 2, Double(number) / 8)
                (row.sparse1, row.remark1) = (number, "Remark \(number % 100)")
                return row
            })
    }

    /// Loads all objects and measures the growth of memory. Both sides can find an object by its id. Every page of the
    /// table is read before, so that SQLite's page cache does not grow.
    func measure(_ side: Side, _ trial: Trial) throws -> Growth {
        switch (self, side) {
        case (.narrow, .ours):
            try trial.inSession(using: NarrowRow.self, NarrowRow.self) { _ in
                _ = try NarrowRow.count { $0.factor < -1 }
                return try Growth.measure({ try NarrowRow.all() }, { $0.number })
            }
        case (.broad, .ours):
            try trial.inSession(using: BroadRow.self, BroadRow.self) { _ in
                _ = try BroadRow.count { $0.factor1 < -1 }
                return try Growth.measure({ try BroadRow.all() }, { $0.number1 })
            }
        case (.narrow, .floor):
            try trial.onDatabase { database in
                let statement = try database.prepare("SELECT id, name, number, factor FROM narrow_row")
                _ = try database.text("SELECT count(*) FROM narrow_row WHERE factor < -1")
                var byID: [Int64: FloorNarrowRow] = [:]
                defer { withExtendedLifetime(byID) {} }
                return try Growth.measure(
                    {
                        let rows = try statement.rows(FloorNarrowRow.init)
                        byID.reserveCapacity(rows.count)
                        for row in rows { byID[row.id] = row }
                        return rows
                    }, { $0.number })
            }
        case (.broad, .floor):
            try trial.onDatabase { database in
                let statement = try database.prepare("SELECT id, \(broadColumns) FROM broad_row")
                _ = try database.text("SELECT count(*) FROM broad_row WHERE factor1 < -1")
                var byID: [Int64: FloorBroadRow] = [:]
                defer { withExtendedLifetime(byID) {} }
                return try Growth.measure(
                    {
                        let rows = try statement.rows(FloorBroadRow.init)
                        byID.reserveCapacity(rows.count)
                        for row in rows { byID[row.id] = row }
                        return rows
                    }, { $0.number1 })
            }
        }
    }
}
