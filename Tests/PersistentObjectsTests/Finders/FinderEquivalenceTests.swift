import TestSupport
import Testing

@testable import PersistentObjects

/// Random finder names over random rows find the same objects as the same condition in Swift.
struct FinderEquivalenceTests {
    final class Row: PersistentObject {
        override class var tableName: String { "row" }
        var name = ""
        @Indexed var number = 0
        @Indexed var maybe: Int?
        var isOn = false
        var text: String?
        var orAnd = 0
    }

    /// A property with its word in finder names and its Swift comparison.
    private struct Column: Sendable {
        let token: String
        let argument: @Sendable (inout SeededGenerator) -> (any Sendable)?
        let holds: @Sendable (Row, (any Sendable)?) -> Bool
    }

    private static let columns = [
        Column(token: "Name", argument: { name(&$0) }, holds: { $0.name == $1 as? String }),
        Column(token: "Number", argument: { number(&$0) }, holds: { $0.number == $1 as? Int }),
        Column(token: "Maybe", argument: { maybe(&$0) }, holds: { $0.maybe == $1 as? Int }),
        Column(token: "IsOn", argument: { Bool.random(using: &$0) }, holds: { $0.isOn == $1 as? Bool }),
        Column(
            token: "Text", argument: { Bool.random(using: &$0) ? nil : name(&$0) }, holds: { $0.text == $1 as? String }),
        Column(token: "OrAnd", argument: { number(&$0) }, holds: { $0.orAnd == $1 as? Int }),
        Column(token: "Id", argument: { Int64.random(in: 1...210, using: &$0) }, holds: { $0.id == $1 as? Int64 }),
    ]

    private static func name(_ random: inout SeededGenerator) -> String {
        ["", "a", "b", "A", "é", "e\u{301}", "%", "O'Hara", TestEngine.isPostgres ? "\u{1}" : "\0"].randomElement(
            using: &random) ?? ""
    }

    private static func number(_ random: inout SeededGenerator) -> Int { Int.random(in: -2...2, using: &random) }

    private static func maybe(_ random: inout SeededGenerator) -> Int? {
        Int.random(in: 0..<3, using: &random) == 0 ? nil : number(&random)
    }

    private static func fill(_ random: inout SeededGenerator, _ session: Session) throws -> [Row] {
        let rows = (0..<200).map { _ in
            let row = Row()
            row.name = name(&random)
            row.number = number(&random)
            row.maybe = maybe(&random)
            row.isOn = Bool.random(using: &random)
            row.text = Bool.random(using: &random) ? nil : name(&random)
            row.orAnd = number(&random)
            return row
        }
        try session.save(rows)
        return rows
    }

    /// A condition as a name, its arguments and a closure. Strings are compared by their UTF-8 bytes, like columns.
    private static func condition(_ random: inout SeededGenerator) -> (String, [(any Sendable)?], (Row) -> Bool) {
        var name = ""
        var arguments: [(any Sendable)?] = []
        var alternatives: [[(Column, (any Sendable)?)]] = [[]]
        for place in 0..<Int.random(in: 1...5, using: &random) {
            if place > 0 {
                let isOr = Bool.random(using: &random)
                name += isOr ? "Or" : "And"
                if isOr { alternatives.append([]) }
            }
            let column = columns[Int.random(in: 0..<columns.count, using: &random)]
            let argument = column.argument(&random)
            name += column.token + (["", "", "Is", "Equal", "Equals"].randomElement(using: &random) ?? "")
            arguments.append(argument)
            alternatives[alternatives.count - 1].append((column, argument))
        }
        return (name, arguments, { row in alternatives.contains { all in all.allSatisfy { holds($0, row, $1) } } })
    }

    private static func holds(_ column: Column, _ row: Row, _ argument: (any Sendable)?) -> Bool {
        guard column.holds(row, argument) else { return false }
        guard let text = argument as? String else { return true }
        return (column.token == "Name" ? row.name : row.text ?? "").utf8.elementsEqual(text.utf8)
    }

    @Test(arguments: SeededGenerator.seeds(10))
    func `a random finder finds the same objects as Swift`(seed: UInt64) throws {
        try withTemporarySession { session, _ in
            var random = SeededGenerator(seed: seed)
            let rows = try Self.fill(&random, session)
            for _ in 0..<150 {
                let (name, arguments, holds) = Self.condition(&random)
                let wanted = rows.filter(holds)
                let note: Comment = "seed \(seed): \(name) \(arguments.map { "\($0 ?? "nil")" })"
                func call(_ subject: String) -> FinderCall {
                    FinderCall(Row.self, "\(subject)By\(name)", arguments.map { $0 as Any? })
                }
                let found = try call("find").objects()
                #expect(found.count == wanted.count && Set(found) == Set(wanted), note)
                #expect(try call("findFirst").firstObject() === wanted.first, note)
                try expect(call("findFirst3").objects(), Array(wanted.prefix(3)), note)
                #expect(try call("count").number() == wanted.count && call("exists").truth() == !wanted.isEmpty, note)
            }
        }
    }

    @Test(arguments: SeededGenerator.seeds(5))
    func `a random delete finder deletes exactly the objects that Swift finds`(seed: UInt64) throws {
        try withTemporarySession { session, file in
            var random = SeededGenerator(seed: seed &+ 1000)
            var rows = try Self.fill(&random, session)
            for _ in 0..<6 {
                let (name, arguments, holds) = Self.condition(&random)
                let wanted = rows.filter(holds)
                let count = try FinderCall(Row.self, "deleteBy\(name)", arguments.map { $0 as Any? }).number()
                #expect(count == wanted.count && wanted.allSatisfy { $0.isDeleted }, "seed \(seed): \(name)")
                rows.removeAll { $0.isDeleted }
                #expect(try Set(Row.all()) == Set(rows), "seed \(seed): \(name)")
            }
            #expect(try file.sqlite("SELECT count(*) FROM \"row\"") == "\(rows.count)")
        }
    }
}
