import StoreEngine
import TestSupport
import Testing

/// Registering functions and collations written in Swift.
@Suite struct FunctionTests {
    private func function(
        _ name: String = "f", _ count: Int? = nil, isDeterministic: Bool = true, isInnocuous: Bool = true,
        _ body: @escaping @Sendable (borrowing FunctionCall) throws -> Void
    ) -> EngineFunction {
        EngineFunction(
            name, argumentCount: count, isDeterministic: isDeterministic, isInnocuous: isInnocuous, body: body)
    }

    @Test(
        arguments: [
            .null, .integer(.min), .integer(.max), .real(-0.0), .real(.infinity), .real(.leastNonzeroMagnitude),
            .text(""),
            .text("é\0e\u{301}"), .blob([]), .blob([0, 255]),
        ] as [DatabaseValue])
    func `each value is passed to a function and returned by it unchanged`(value: DatabaseValue) throws {
        try withConnection { connection throws in
            try connection.register(function("same", 1) { try $0.give($0.arguments[0]) })
            try connection.register(function("back", 1) { try $0.give(argument: 0) })
            for sql in ["SELECT same(?)", "SELECT back(?)"] {
                try expect(connection.value(of: sql, value), value, "\(sql)")
            }
        }
    }

    @Test func `an argument that is not an integer is not read as an integer`() throws {
        try withConnection { connection throws in
            try connection.register(
                function("whole", 1) { call in
                    if let number = try call.arguments.integer(0) { try call.give(.integer(number)) }
                })
            #expect(try connection.value(of: "SELECT whole(?)", .integer(.min)) == .integer(.min))
            #expect(try connection.value(of: "SELECT whole(?)", .null) == .null)
            for value in [.real(1), .text("1"), .blob([1])] as [DatabaseValue] {
                #expect(throws: StoreError.self) { try connection.value(of: "SELECT whole(?)", value) }
            }
        }
    }

    @Test func `a function that sets no result gives NULL`() throws {
        try withConnection { connection throws in
            try connection.register(function { _ in })
            try expect(connection.scalar("SELECT f()"), .null)
            try expect(connection.scalar("SELECT f(1, 2, 3)"), .null)
        }
    }

    @Test func `functions of the same name are distinguished by their number of arguments`() throws {
        try withConnection { connection throws in
            try connection.register(function("f", 1) { try $0.give(.text("one")) })
            try connection.register(function("f", 2) { try $0.give(.text("two")) })
            try connection.register(function("f") { try $0.give(.integer(Int64($0.arguments.count))) })
            try expect(connection.scalar("SELECT f(1)"), .text("one"))
            try expect(connection.scalar("SELECT F(1, 2)"), .text("two"))
            try expect(connection.scalar("SELECT f(1, 2, 3)"), .integer(3))
            try connection.register(function("g", 1) { _ in })
            expect(code { _ = try connection.scalar("SELECT g(1, 2)") }, .invalidSQL)
        }
    }

    @Test func `an argument index out of range throws and does not crash`() throws {
        try withConnection { connection throws in
            for index in [-1, 1, Int.max, Int.min] {
                try connection.register(function("f") { try $0.give($0.arguments[index]) })
                let error = try #require(throws: StoreError.self) { _ = try connection.scalar("SELECT f(7)") }
                #expect(error.message.contains("There is no argument at index \(index); the call has 1"))
                try connection.register(function("g") { try $0.give(argument: index) })
                #expect(throws: StoreError.self) { _ = try connection.scalar("SELECT g(7)") }
                try connection.register(function("h") { _ = try $0.arguments.isNull(index) })
                #expect(throws: StoreError.self) { _ = try connection.scalar("SELECT h(7)") }
            }
        }
    }

    @Test func `an error thrown in a function ends the statement and names the function`() throws {
        struct Failure: Error, CustomStringConvertible { let description: String }
        try withConnection { connection throws in
            try connection.register(function("fails", 0) { _ in throw Failure(description: "out of luck é") })
            let error = try #require(throws: StoreError.self) { _ = try connection.scalar("SELECT fails()") }
            #expect(error.message == "fails: out of luck é" && error.code == .sqlite)
            #expect(try connection.scalar("SELECT 1") == .integer(1))
            // Strings that cannot be messages are truncated, and nothing is read beyond them.
            for text in ["", "a\0b", String(repeating: "é", count: 100_000)] {
                try connection.register(function("fails", 0) { _ in throw Failure(description: text) })
                let error = try #require(throws: StoreError.self) { _ = try connection.scalar("SELECT fails()") }
                #expect(error.message.hasPrefix("fails: ") && error.message.count <= 10_010)
            }
        }
    }

    @Test func `an error in the middle of an update leaves the rows unchanged`() throws {
        struct Failure: Error {}
        try withConnection { connection throws in
            try connection.register(
                function("no", 1) { call in
                    if case .integer(3) = try call.arguments[0] { throw Failure() }
                    try call.give(.integer(0))
                })
            try connection.run("CREATE TABLE t (x)")
            try connection.run("INSERT INTO t VALUES (1), (2), (3), (4)")
            #expect(throws: StoreError.self) { try connection.run("UPDATE t SET x = no(x)") }
            #expect(try connection.scalar("SELECT group_concat(x) FROM t") == .text("1,2,3,4"))
        }
    }

    @Test func `a NaN result and an argument that is not valid UTF-8 are rejected`() throws {
        try withConnection { connection throws in
            try connection.register(function("nan", 0) { try $0.give(.real(.nan)) })
            let error = try #require(throws: StoreError.self) { _ = try connection.scalar("SELECT nan()") }
            #expect(error.message == "nan: the result is NaN, which SQLite cannot represent")
            try connection.register(function("f", 1) { try $0.give($0.arguments[0]) })
            let broken = try #require(throws: StoreError.self) {
                _ = try connection.scalar("SELECT f(CAST(x'ff' AS TEXT))")
            }
            #expect(broken.message == "f: argument 1: the string is not valid UTF-8")
        }
    }

    @Test func `a result larger than SQLite's limit is rejected`() throws {
        try withConnection { connection throws in
            try connection.register(
                function("long", 1) { call in
                    let count = Int(try call.arguments.integer(0) ?? 0)
                    // Memory that is never touched takes no space.
                    let room = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 1)
                    defer { room.deallocate() }
                    call.give(blob: UnsafeRawBufferPointer(start: room, count: count))
                })
            try expect(connection.scalar("SELECT length(long(1000000))"), .integer(1_000_000))
            expect(code { _ = try connection.scalar("SELECT length(long(1000000001))") }, .tooBig)
        }
    }

    @Test func `views can call innocuous functions only`() throws {
        try withConnection { connection throws in
            try connection.register(function("safe", 0) { try $0.give(.integer(1)) })
            try connection.register(function("risky", 0, isInnocuous: false) { try $0.give(.integer(2)) })
            try connection.run("CREATE VIEW v AS SELECT safe() AS x")
            try connection.run("CREATE VIEW w AS SELECT risky() AS x")
            #expect(try connection.scalar("SELECT x FROM v") == .integer(1))
            let error = try #require(throws: StoreError.self) { _ = try connection.scalar("SELECT x FROM w") }
            #expect(error.message.contains("unsafe use of risky"))
            #expect(try connection.scalar("SELECT risky()") == .integer(2))
        }
    }

    @Test func `only deterministic functions can be indexed, and are called once for constant arguments`() throws {
        try withConnection { connection throws in
            let calls = Recorder<Int>()
            try connection.register(function("pure", 1) { _ in calls.add(1) })
            try connection.register(function("dice", 1, isDeterministic: false) { _ in calls.add(2) })
            try connection.run("CREATE TABLE t (x)")
            try connection.run("INSERT INTO t VALUES (1), (2), (3)")
            try connection.run("CREATE INDEX i ON t (pure(x))")
            #expect(throws: StoreError.self) { try connection.run("CREATE INDEX j ON t (dice(x))") }
            let before = calls.all.count
            _ = try connection.scalar("SELECT count(pure(7)) FROM t")
            _ = try connection.scalar("SELECT count(dice(7)) FROM t")
            #expect(calls.all.dropFirst(before).sorted() == [1, 2, 2, 2])
        }
    }

    @Test func `closures are released with the connection, or when they are replaced`() throws {
        let tracker = LifetimeTracker()
        func counted() -> EngineFunction {
            let token = tracker.token()
            return function { _ in withExtendedLifetime(token) {} }
        }
        func countedOrder() -> EngineCollation {
            let token = tracker.token()
            return EngineCollation("c") { _, _ in withExtendedLifetime(token) { 0 } }
        }
        try withConnection { connection throws in
            try connection.register(counted())
            try connection.register(countedOrder())
            #expect(tracker.liveCount == 2)
            try connection.register(counted())
            try connection.register(countedOrder())
            #expect(tracker.liveCount == 2)
            // SQLite does not accept this name.
            let long = String(repeating: "x", count: 256)
            let token = tracker.token()
            let refused = EngineFunction(long, argumentCount: nil, isDeterministic: true, isInnocuous: true) { _ in
                withExtendedLifetime(token) {}
            }
            #expect(throws: StoreError.self) { try connection.register(refused) }
        }
        #expect(tracker.liveCount == 0)
    }

    @Test func `a value derived from an argument is created once per statement if the argument is constant`() throws {
        final class Made: Sendable {
            let token: LifetimeTracker.Token
            init(_ token: LifetimeTracker.Token) { self.token = token }
        }
        let tracker = LifetimeTracker()
        let made = Recorder<Int>()
        try withConnection { connection throws in
            try connection.register(
                function("f", 2) { call in
                    _ = call.kept(forArgument: 0) {
                        made.add(1)
                        return Made(tracker.token())
                    }
                })
            try connection.run("CREATE TABLE t (x)")
            try connection.run("INSERT INTO t VALUES (1), (2), (3)")
            _ = try connection.value(of: "SELECT count(*) FROM t WHERE f(?, x) IS NULL", .text("a"))
            expect(made.all.count, 1)
            _ = try connection.value(of: "SELECT count(*) FROM t WHERE f(x, ?) IS NULL", .text("a"))
            expect(made.all.count, 4)
        }
        expect(tracker.liveCount, 0)
    }

    @Test func `a collation sorts, groups and compares`() throws {
        try withConnection { connection throws in
            try connection.register(
                EngineCollation("backwards") { a, b in
                    a.elementsEqual(b) ? 0 : a.lexicographicallyPrecedes(b) ? 1 : -1
                })
            try connection.run("CREATE TABLE t (x)")
            try connection.run("INSERT INTO t VALUES ('b'), (''), ('c'), ('a'), (NULL), (7), (x'61')")
            let sorted = "SELECT group_concat(quote(x), ' ') FROM (SELECT x FROM t ORDER BY x COLLATE backwards)"
            try expect(connection.scalar(sorted), .text("NULL 7 'c' 'b' 'a' '' X'61'"))
            try expect(connection.scalar("SELECT max(x COLLATE backwards) FROM t WHERE x > ''"), .blob([0x61]))
            expect(code { _ = try connection.scalar("SELECT 'a' < 'b' COLLATE nowhere") }, .invalidSQL)
        }
    }
}

extension SQLiteConnection {
    /// The first value of a statement with the values bound.
    func value(of sql: String, _ values: DatabaseValue...) throws -> DatabaseValue {
        let statement = try statement(SQL(raw: sql))
        defer { statement.finish() }
        statement.beginBinding()
        for (index, value) in values.enumerated() { try statement.bind(value, at: Int32(index) + 1) }
        guard try statement.step() else { return .null }
        return try statement.column(0).value()
    }
}
