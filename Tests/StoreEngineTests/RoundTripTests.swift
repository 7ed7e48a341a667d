import StoreEngine
import TestSupport
import Testing

/// Random values of all kinds, reproducible by seed.
@Suite struct RoundTripTests {
    private func value(_ random: inout SeededGenerator) -> DatabaseValue {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return .null
        case 1: return .integer(Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random))
        case 2:
            let number = Double(bitPattern: random.next())
            return number.isNaN ? .real(0.25) : .real(number)
        case 3:
            let scalars = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                Unicode.Scalar(UInt32.random(in: 0...(1 << UInt32.random(in: 1...21, using: &random)), using: &random))
                    ?? "\0"
            }
            return .text(String(String.UnicodeScalarView(scalars)))
        default:
            return .blob(
                (0..<Int.random(in: 0...200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `rows of random values read back unchanged`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let rows = (0..<300).map { _ in (0..<6).map { _ in value(&random) } }
        try withConnection { connection throws in
            try connection.run("CREATE TABLE t (a ANY, b ANY, c ANY, d ANY, e ANY, f ANY) STRICT")
            let insert = try connection.prepare("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)")
            for row in rows {
                insert.beginBinding()
                for (index, value) in row.enumerated() { try insert.bind(value, at: Int32(index) + 1) }
                try insert.run()
            }
            let select = try connection.prepare("SELECT * FROM t ORDER BY rowid")
            for (number, row) in rows.enumerated() {
                #expect(try select.step())
                let found = try (0..<6).map { try select.column($0).value() }
                expect(found, row, "seed \(seed), row \(number)")
            }
            #expect(try !select.step())
        }
    }

    @Test func `a random value equals itself`() throws {
        var random = SeededGenerator(seed: 4)
        try withConnection { connection throws in
            let statement = try connection.prepare("SELECT ?1 IS ?2")
            for _ in 0..<500 {
                let value = value(&random)
                statement.beginBinding()
                try statement.bind(value, at: 1)
                try statement.bind(value, at: 2)
                #expect(try statement.step())
                expect(statement.integer(0), 1, "\(value)")
                statement.reset()
            }
        }
    }
}
