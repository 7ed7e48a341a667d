#if PostgreSQL
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    private enum Grade: String, Codable, CaseIterable { case low, high }

    private struct Spot: Codable, Equatable {
        var x = 0
    }

    private class Crate: PersistentObject {
        override class var tableName: String { "crate" }
        @Unique var number = 0
        var name = ""
        var note: String?
        var weight = 0.0
        var isFull = false
        var size: UInt8 = 0
        var day = Date(timeIntervalSinceReferenceDate: 0)
        var token = UUID()
        var bytes = Data()
        var price = Decimal(0)
        var grade = Grade.low
        var spot: Spot?
        var inner: Crate?

        convenience init(number: Int) {
            self.init()
            self.number = number
            name = ["", "é", "日本 🚂", "a\"b'c\\", "\u{1}"][number % 5] + "\(number)"
            note = number % 3 == 0 ? nil : ""
            weight = [0, -0.5, .infinity, .leastNonzeroMagnitude, 1e300][number % 5]
            (isFull, size) = (number % 2 == 0, UInt8(number % 256))
            day = Date(timeIntervalSinceReferenceDate: Double(number) / 8)
            bytes = Data((0..<number % 7).map { UInt8($0) })
            price = Decimal(number) / 100
            grade = Grade.allCases[number % 2]
            spot = number % 4 == 0 ? nil : Spot(x: number)
        }

        /// Returns more objects than are inserted with statements.
        static func many() -> [Crate] {
            let crates = (0..<2500).map { Crate(number: $0) }
            for (place, crate) in crates.enumerated() where place % 3 == 1 { crate.inner = crates[place * 7 % 2500] }
            return crates
        }

        var values: String {
            "\(number) \(name) \(note ?? "nil") \(weight) \(isFull) \(size) \(day) \(token) \(Array(bytes)) \(price) \(grade) "
                + "\(spot?.x ?? -1) \(inner?.number ?? -1)"
        }
    }

    private final class ColdCrate: Crate {
        var degrees = -18
    }

    /// Very many new objects are inserted with COPY, with the same result as with statements.
    @Suite(.onPostgres("SQLite has no COPY")) struct CopyTests {
        private func withStore(_ body: (Session, TemporaryStore) throws -> Void) throws {
            let file = try TemporaryStore()
            let store = try file.open()
            try store.withSession { session in
                try store.prepare(Crate.self, ColdCrate.self)
                try body(session, file)
            }
            store.close()
        }

        @Test("COPY stores values of all kinds, subclasses and references unchanged")
        func values() throws {
            try withStore { session, file in
                let crates = Crate.many()
                let cold = (0..<2100).map { ColdCrate(number: 10_000 + $0) }
                for crate in cold { crate.inner = crates[5] }
                try session.save(crates + cold)
                let wanted = (crates + cold).map(\.values)
                let again = try file.open()
                try again.prepare(Crate.self, ColdCrate.self)
                try again.withSession { _ in
                    let found = try Crate.query.order(by: \.id).all()
                    #expect(found.map(\.values).sorted() == wanted.sorted())
                    #expect(try ColdCrate.query.all().allSatisfy { $0.degrees == -18 && $0.inner?.number == 5 })
                    #expect(try ColdCrate.count() == 2100)
                }
            }
        }

        @Test("a duplicate value throws an error that names the property, and nothing is stored")
        func twice() throws {
            try withStore { session, file in
                let crates = Crate.many()
                crates[2400].number = 7
                let error = #expect(throws: StoreError.self) { () throws in try session.save(crates) }
                #expect(error?.code == .notUnique && error?.description.contains("number") == true, "\(error as Any)")
                #expect(crates.allSatisfy { $0.id == nil && $0.hasChanges })
                #expect(try file.sqlite("SELECT count(*) FROM crate") == "0")
                crates[2400].number = 2400
                try session.save(crates)
                #expect(try file.sqlite("SELECT count(*), count(DISTINCT id) FROM crate") == "2500|2500")
            }
        }

        @Test("a string that the server cannot store throws an error with its property, and nothing is stored")
        func unstorable() throws {
            try withStore { session, file in
                let crates = Crate.many()
                crates[2400].note = "a\0b"
                let error = #expect(throws: StoreError.self) { () throws in try session.save(crates) }
                #expect(error?.code == .notRepresentable && error?.property == "note", "\(error as Any)")
                #expect(try file.sqlite("SELECT count(*) FROM crate") == "0")
                crates[2400].note = nil
                try session.save(crates)
                #expect(try file.sqlite("SELECT count(*) FROM crate") == "2500")
            }
        }

        @Test("a failed save inside a transaction undoes only itself", arguments: [true, false])
        func nested(isTwice: Bool) throws {
            try withStore { session, file in
                let (first, crates) = (Crate(number: 90_000), Crate.many())
                if isTwice { crates[2400].number = 7 } else { crates[2400].name = "\0" }
                try session.transaction { () throws in
                    try first.save()
                    #expect(throws: StoreError.self) { () throws in try session.save(crates) }
                    (crates[2400].number, crates[2400].name) = (2400, "mended")
                    try session.save(crates)
                }
                #expect(try file.sqlite("SELECT count(*), min(number), max(number) FROM crate") == "2501|0|90000")
            }
        }

        @Test("the query timeout does not apply to all rows together")
        func limited() throws {
            let file = try TemporaryStore()
            let store = try file.open(configuration: .init(queryTimeout: .seconds(3)))
            _ = try store.withSession { _ in try Crate.count() }
            // Each row takes a millisecond and a half: together the rows exceed the timeout for a statement, each alone
            // does not, nor does a short statement on a busy machine.
            _ = try file.sqlite(
                """
                CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN PERFORM pg_sleep(0.0015); RETURN NEW; END$$;
                CREATE TRIGGER slow BEFORE INSERT ON crate FOR EACH ROW EXECUTE FUNCTION slow()
                """)
            try store.withSession { session in try session.save(Crate.many()) }
            #expect(try file.sqlite("SELECT count(*) FROM crate") == "2500")
        }

        @Test("COPY stores values in columns whose type was changed elsewhere")
        func otherType() throws {
            try withStore { session, file in
                _ = try file.sqlite(
                    "ALTER TABLE crate ALTER COLUMN size TYPE smallint, ALTER COLUMN number TYPE integer")
                try session.save(Crate.many())
                #expect(try file.sqlite("SELECT count(*), sum(number) FROM crate") == "2500|3123750")
            }
        }
    }

    extension ProxyTests {
        /// The connection is cut while rows are sent.
        @Suite struct CutCopyTests {
            @Test("losing the connection during COPY throws, and a repeated save succeeds")
            func isCopied() throws {
                let proxy = try PostgresProxy()
                let store = try Store(.postgres(try proxy.makeSchema().address))
                defer { store.close() }
                try store.withSession { session in
                    try Crate(number: 9000).save()
                    proxy.setCut(.before("COPY \"crate\""))
                    let crates = Crate.many()
                    let error = #expect(throws: StoreError.self) { () throws in try session.save(crates) }
                    #expect(error?.code == .connectionLost && proxy.cutCount == 1)
                    #expect(try Crate.count() == 1)
                    // In the middle of the rows as well.
                    proxy.setCut(.before("日本 🚂1002"))
                    #expect(throws: StoreError.self) { () throws in try session.save(crates) }
                    #expect(proxy.cutCount == 2)
                    #expect(try Crate.count() == 1)
                    try session.save(crates)
                    #expect(try Crate.count() == 2501)
                }
            }
        }
    }
#endif
