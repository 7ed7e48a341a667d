import Foundation
import PersistentObjects
import PersistentTransfer

/// A departure: numbers and short strings.
final class Departure: PersistentObject {
    var year = 2013, month = 1, day = 1
    var left: Int? = 517, planned = 515, delay = 2.0
    var arrived: Int? = 830, late: Double? = 11
    var carrier = "UA", number = 1545, tail = "N14228", origin = "EWR", target = "IAH"
    var distance = 1400.0
}

final class Narrow: PersistentObject {
    var p0 = 0, p1 = 1, p2 = 2, p3 = 3, p4 = 4, p5 = 5, p6 = 6, p7 = 7, p8 = 8, p9 = 9, p10 = 10, p11 = 11, p12 = 12
    var p13 = 13, p14 = 14, p15 = 15, p16 = 16, p17 = 17, p18 = 18, p19 = 19
}

final class Wide: PersistentObject {
    var p0 = 0, p1 = 1, p2 = 2, p3 = 3, p4 = 4, p5 = 5, p6 = 6, p7 = 7, p8 = 8, p9 = 9, p10 = 10, p11 = 11, p12 = 12
    var p13 = 13, p14 = 14, p15 = 15, p16 = 16, p17 = 17, p18 = 18, p19 = 19, p20 = 20, p21 = 21, p22 = 22, p23 = 23
    var p24 = 24, p25 = 25, p26 = 26, p27 = 27, p28 = 28, p29 = 29, p30 = 30, p31 = 31, p32 = 32, p33 = 33, p34 = 34
    var p35 = 35, p36 = 36, p37 = 37, p38 = 38, p39 = 39, p40 = 40, p41 = 41, p42 = 42, p43 = 43, p44 = 44, p45 = 45
    var p46 = 46, p47 = 47, p48 = 48, p49 = 49, p50 = 50, p51 = 51, p52 = 52, p53 = 53, p54 = 54, p55 = 55, p56 = 56
    var p57 = 57, p58 = 58, p59 = 59, p60 = 60, p61 = 61, p62 = 62, p63 = 63, p64 = 64, p65 = 65, p66 = 66, p67 = 67
    var p68 = 68, p69 = 69, p70 = 70, p71 = 71, p72 = 72, p73 = 73, p74 = 74, p75 = 75, p76 = 76, p77 = 77, p78 = 78
    var p79 = 79, p80 = 80, p81 = 81, p82 = 82, p83 = 83, p84 = 84, p85 = 85, p86 = 86, p87 = 87, p88 = 88, p89 = 89
    var p90 = 90, p91 = 91, p92 = 92, p93 = 93, p94 = 94, p95 = 95, p96 = 96, p97 = 97, p98 = 98, p99 = 99
    var p100 = 100, p101 = 101, p102 = 102, p103 = 103, p104 = 104, p105 = 105, p106 = 106, p107 = 107, p108 = 108
    var p109 = 109, p110 = 110, p111 = 111, p112 = 112, p113 = 113, p114 = 114, p115 = 115, p116 = 116, p117 = 117
    var p118 = 118, p119 = 119, p120 = 120, p121 = 121, p122 = 122, p123 = 123, p124 = 124, p125 = 125, p126 = 126
    var p127 = 127, p128 = 128, p129 = 129, p130 = 130, p131 = 131, p132 = 132, p133 = 133, p134 = 134, p135 = 135
    var p136 = 136, p137 = 137, p138 = 138, p139 = 139, p140 = 140, p141 = 141, p142 = 142, p143 = 143, p144 = 144
    var p145 = 145, p146 = 146, p147 = 147, p148 = 148, p149 = 149, p150 = 150, p151 = 151, p152 = 152, p153 = 153
    var p154 = 154, p155 = 155, p156 = 156, p157 = 157, p158 = 158, p159 = 159, p160 = 160, p161 = 161, p162 = 162
    var p163 = 163, p164 = 164, p165 = 165, p166 = 166, p167 = 167, p168 = 168, p169 = 169, p170 = 170, p171 = 171
    var p172 = 172, p173 = 173, p174 = 174, p175 = 175, p176 = 176, p177 = 177, p178 = 178, p179 = 179, p180 = 180
    var p181 = 181, p182 = 182, p183 = 183, p184 = 184, p185 = 185, p186 = 186, p187 = 187, p188 = 188, p189 = 189
    var p190 = 190, p191 = 191, p192 = 192, p193 = 193, p194 = 194, p195 = 195, p196 = 196, p197 = 197, p198 = 198
    var p199 = 199
}

/// Exports of departures, and of tables with more and fewer columns.
func transferWorks() -> [Comparison] {
    [
        Comparison(
            "export 15 columns as CSV", .shapes, .ratio(1.2), on: .nothing,
            ours: { try exportDepartures($0, .csv) }, floor: { try writeDepartures($0, FloorCSV.self) }),
        Comparison(
            "export 15 columns as JSON Lines", .shapes, .ratio(1.2), on: .nothing,
            ours: { try exportDepartures($0, .jsonLines) }, floor: { try writeDepartures($0, FloorJSONLines.self) }),
        // The same number of values.
        Comparison(
            "export 200 columns as CSV, compared with 20", .shapes, .ratio(1.05), on: .nothing, operations: { $0 * 2 },
            ours: { try exportMany($0, rows: $0.rows / 100, as: .csv) { Wide() } },
            floor: { try exportMany($0, rows: $0.rows / 100 * 10, as: .csv) { Narrow() } }),
        Comparison(
            "export 200 columns as JSON Lines, compared with 20", .shapes, .ratio(1.05), on: .nothing,
            operations: { $0 * 2 },
            ours: { try exportMany($0, rows: $0.rows / 100, as: .jsonLines) { Wide() } },
            floor: { try exportMany($0, rows: $0.rows / 100 * 10, as: .jsonLines) { Narrow() } }),
    ]
}

private func saveDepartures(_ trial: Trial) throws {
    try trial.inSession(using: Departure.self, Departure.self) { session in
        try session.save((0..<trial.rows).map { _ in Departure() })
    }
}

private func exportDepartures(_ trial: Trial, _ format: TransferFormat) throws -> Measurement {
    try saveDepartures(trial)
    let store = try Store(trial.path)
    defer { store.close() }
    let url = URL(fileURLWithPath: trial.path + ".export")
    defer { try? FileManager.default.removeItem(at: url) }
    _ = try store.withSession { _ in try Departure.count() }
    _ = try Measurement.timing { try store.export(Departure.self, to: url, as: format) }
    let measured = try Measurement.timing { try store.export(Departure.self, to: url, as: format) }
    return Measurement(amount: measured.amount, tally: try tally(of: url))
}

private func exportMany<T: PersistentObject>(
    _ trial: Trial, rows: Int, as format: TransferFormat, _ make: () -> T
) throws -> Measurement {
    let store = try Store(trial.path)
    defer { store.close() }
    try store.withSession { session in try session.save((0..<rows).map { _ in make() }) }
    let url = URL(fileURLWithPath: trial.path + ".export")
    defer { try? FileManager.default.removeItem(at: url) }
    let measured = try Measurement.timing { try store.export(T.self, to: url, as: format) }
    return Measurement(amount: measured.amount, tally: Tally())
}

/// The length of a file: both sides write the same.
private func tally(of url: URL) throws -> Tally {
    var tally = Tally()
    tally.textBytes = try Data(contentsOf: url).count
    return tally
}

/// What a program writes by hand: one function for each kind of value.
private protocol FloorFormat {
    static var header: String { get }
    /// What precedes each value, in the order of the columns.
    static var separators: [[UInt8]] { get }
    static var end: [UInt8] { get }
    static var null: [UInt8] { get }
    static func write(_ text: String, to bytes: inout [UInt8])
}

private enum FloorCSV: FloorFormat {
    static let header = "id," + FloorColumns.csv.joined(separator: ",") + "\r\n"
    static let separators: [[UInt8]] = (0..<15).map { $0 == 0 ? [] : [0x2C] }
    static let end = Array("\r\n".utf8)
    static let null: [UInt8] = []

    static func write(_ text: String, to bytes: inout [UInt8]) {
        let special = text.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
        guard special || text.isEmpty else { return bytes.append(contentsOf: text.utf8) }
        bytes.append(0x22)
        for byte in text.utf8 {
            if byte == 0x22 { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(0x22)
    }
}

private enum FloorJSONLines: FloorFormat {
    static let header = ""
    static let separators = FloorColumns.json.enumerated().map { Array("\($0 == 0 ? "{" : ",")\"\($1)\":".utf8) }
    static let end = Array("}\n".utf8)
    static let null = Array("null".utf8)

    static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(0x22)
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5C:
                bytes.append(0x5C)
                bytes.append(byte)
            case 0..<0x20: bytes.append(contentsOf: "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }
}

private enum FloorColumns {
    static let csv = [
        "year", "month", "day", "left", "planned", "delay", "arrived", "late", "carrier", "number", "tail", "origin",
        "target", "distance",
    ]
    /// Sorted, as the library writes them.
    static let json = (csv + ["id"]).sorted()
    static let reals: Set<String> = ["delay", "late", "distance"]
    static let texts: Set<String> = ["carrier", "tail", "origin", "target"]
}

private func writeDepartures<F: FloorFormat>(_ trial: Trial, _ format: F.Type) throws -> Measurement {
    try saveDepartures(trial)
    let columns = F.header.isEmpty ? FloorColumns.json : ["id"] + FloorColumns.csv
    let kinds = columns.map { FloorColumns.reals.contains($0) ? 1 : FloorColumns.texts.contains($0) ? 2 : 0 }
    let url = URL(fileURLWithPath: trial.path + ".export")
    defer { try? FileManager.default.removeItem(at: url) }
    return try trial.onDatabase { database in
        let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        let statement = try database.prepare("SELECT \(names) FROM departure ORDER BY id")
        let (separators, end, null) = (F.separators, F.end, F.null)
        func write() throws -> Int {
            guard FileManager.default.createFile(atPath: url.path, contents: nil) else { return 0 }
            let handle = try FileHandle(forWritingTo: url)
            defer { try? handle.close() }
            var bytes = Array(F.header.utf8)
            var count = 0
            while try statement.step() {
                for place in 0..<15 {
                    bytes.append(contentsOf: separators[place])
                    let column = Int32(place)
                    if statement.isNull(column) {
                        bytes.append(contentsOf: null)
                    } else if kinds[place] == 0 {
                        bytes.append(contentsOf: String(statement.integer(column)).utf8)
                    } else if kinds[place] == 1 {
                        bytes.append(contentsOf: statement.real(column).description.utf8)
                    } else {
                        F.write(statement.text(column), to: &bytes)
                    }
                }
                bytes.append(contentsOf: end)
                count += 1
                if bytes.count >= 1 << 18 {
                    try handle.write(contentsOf: Data(bytes))
                    bytes.removeAll(keepingCapacity: true)
                }
            }
            statement.reset()
            try handle.write(contentsOf: Data(bytes))
            try handle.synchronize()
            return count
        }
        _ = try write()
        let measured = try Measurement.timing(write)
        return Measurement(amount: measured.amount, tally: try tally(of: url))
    }
}
