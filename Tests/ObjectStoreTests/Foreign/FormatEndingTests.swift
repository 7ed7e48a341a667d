import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Values stored in a special format, in all calls that read, compare or copy them.
@Suite struct FormatEndingTests {
    /// The dates, UUIDs and decimal numbers of a class, one property for each format.
    private protocol Formatted: Persistent {
        static var dates: [(ColumnFormat, ReferenceWritableKeyPath<Self, Date?>)] { get }
        static var uuids: [(ColumnFormat, ReferenceWritableKeyPath<Self, UUID?>)] { get }
        static var decimals: [ReferenceWritableKeyPath<Self, Decimal?>] { get }
        var name: String { get set }
    }

    private final class Own: PersistentObject, Formatted {
        override class var tableName: String { "own_event" }
        @Column("unix", format: .unixSeconds) var unix: Date?
        @Column("ms", format: .unixMilliseconds) var ms: Date?
        @Column("julian", format: .julianDay) var julian: Date?
        @Column("day", format: .day) var day: Date?
        @Column("iso", format: .iso8601) var iso: Date?
        @Column("time", format: .dateTime) var time: Date?
        var plain: Date?
        @Column("text_id", format: .uuidText) var text: UUID?
        var bytes: UUID?
        @Column(scale: 2) var price: Decimal?
        @Column(scale: 3) var fine: Decimal?
        var digits: Decimal?
        var name = ""
        static var dates: [(ColumnFormat, ReferenceWritableKeyPath<Own, Date?>)] {
            [
                (.unixSeconds, \.unix), (.unixMilliseconds, \.ms), (.julianDay, \.julian), (.day, \.day),
                (.iso8601, \.iso),
                (.dateTime, \.time), (.secondsSince2001, \.plain),
            ]
        }
        static var uuids: [(ColumnFormat, ReferenceWritableKeyPath<Own, UUID?>)] {
            [
                (.uuidText, \.text), (.uuidBlob, \.bytes),
            ]
        }
        static var decimals: [ReferenceWritableKeyPath<Own, Decimal?>] { [\.price, \.fine, \.digits] }
    }

    private final class Theirs: PersistentObject, Formatted {
        override class var tableName: String { "event" }
        override class var origin: TableOrigin { .existing }
        @Column("unix", format: .unixSeconds) var unix: Date?
        @Column("ms", format: .unixMilliseconds) var ms: Date?
        @Column("julian", format: .julianDay) var julian: Date?
        @Column("day", format: .day) var day: Date?
        @Column("iso", format: .iso8601) var iso: Date?
        @Column("time") var time: Date?
        @Column("plain", format: .secondsSince2001) var plain: Date?
        @Column("text_id") var text: UUID?
        @Column("bytes", format: .uuidBlob) var bytes: UUID?
        @Column("price", scale: 2) var price: Decimal?
        @Column("digits") var digits: Decimal?
        @Column("open") var isOpen: Bool?
        @Column("name") var name = ""
        static var dates: [(ColumnFormat, ReferenceWritableKeyPath<Theirs, Date?>)] {
            [
                (.unixSeconds, \.unix), (.unixMilliseconds, \.ms), (.julianDay, \.julian), (.day, \.day),
                (.iso8601, \.iso),
                (.dateTime, \.time), (.secondsSince2001, \.plain),
            ]
        }
        static var uuids: [(ColumnFormat, ReferenceWritableKeyPath<Theirs, UUID?>)] {
            [
                (.uuidText, \.text), (.uuidBlob, \.bytes),
            ]
        }
        static var decimals: [ReferenceWritableKeyPath<Theirs, Decimal?>] { [\.price, \.digits] }
        static let sql = """
            CREATE TABLE event (id INTEGER PRIMARY KEY, unix INTEGER, ms BIGINT, julian REAL, day DATE, iso TEXT,
                time DATETIME, plain DOUBLE, text_id CHAR(36), bytes BLOB, price INTEGER, digits DECIMAL(10,2), open TEXT,
                name TEXT NOT NULL)
            """
    }

    private static let first = Date(timeIntervalSince1970: 86_400 * 20_000)
    private static let second = Date(timeIntervalSince1970: 86_400 * 20_100)
    private static let ids = [UUID(), UUID()]

    /// Saves two objects with values, and an object without values.
    private func make<T: Formatted>(_: T.Type) throws {
        for (place, date) in [Self.first, Self.second].enumerated() {
            let event = T()
            for (_, path) in T.dates { event[keyPath: path] = date }
            for (_, path) in T.uuids { event[keyPath: path] = Self.ids[place] }
            for path in T.decimals { event[keyPath: path] = place == 0 ? 9 : Decimal(41) / 4 }
            event.name = "n\(place)"
            try event.save()
        }
        try T().save()
    }

    private func each(_ body: (Session) throws -> Void, theirs: (Session) throws -> Void) throws {
        try withTemporarySession { session, _ in
            try make(Own.self)
            try body(session)
        }
        try SampleFile.with(Theirs.sql) { session, _ throws in
            try make(Theirs.self)
            try theirs(session)
        }
    }

    /// Verifies all calls that return values, for a property that has two values and nil.
    private func readings<T: Formatted, V: Hashable>(
        _ path: ReferenceWritableKeyPath<T, V?>, _ values: [V], _ title: String
    ) throws {
        typealias Q = Query<T>
        let all: [V?] = [values[0], values[1], nil]
        #expect(try T.query.values(of: path) == all, "\(title)")
        #expect(try T.query.values { $0[dynamicMember: path] } == all, "\(title)")
        let pairs = try T.query.values(of: path, \.name)
        #expect(pairs.map(\.0) == all, "\(title)")
        #expect(try Set(T.query.distinct(path)) == Set(all), "\(title)")
        #expect(try T.query.order(.descending, by: \.name).limit(1).values(of: path) == [values[1]], "\(title)")
        #expect(try T.query.counted(by: path) == [values[0]: 1, values[1]: 1, nil: 1], "\(title)")
        let groups = try T.query.groups { $0[dynamicMember: path] }.values { $0.count }
        #expect(Set(groups.map(\.0)) == Set(all), "\(title)")
        let parts = (try T.query.only(path), try T.query.except(\.name))
        #expect(try parts.0.map { try $0[dynamicMember: path] } == all, "\(title)")
        #expect(try parts.1.map { try $0[dynamicMember: path] } == all, "\(title)")
        let object = try #require(try T.where { $0.name == "n0" }.first())
        #expect(object[keyPath: path] == values[0], "\(title)")
        object[keyPath: path] = values[1]
        #expect(try object.original(path) == values[0], "\(title)")
        object.revert()
        #expect(try T.where { $0[dynamicMember: path].isIn(values) }.count() == 2, "\(title)")
        #expect(try T.where { $0[dynamicMember: path].isIn(T.query, path) }.count() == 2, "\(title)")
    }

    private func comparisons<T: Formatted, V: Hashable & Comparable>(
        _ path: ReferenceWritableKeyPath<T, V?>, _ values: [V], _ title: String
    ) throws {
        let (least, greatest) = (values.min(), values.max())
        #expect(try T.query.min(path) == least && T.query.max(path) == greatest, "\(title)")
        #expect(try T.query.limit(2).max(path) == greatest, "\(title)")
        #expect(try T.query.max(path, by: \.name)["n0"] == values[0], "\(title)")
        let groups = try T.query.groups { $0.name }.values { $0.max { $0[dynamicMember: path] } }
        #expect(groups.map(\.1) == [nil, values[0], values[1]], "\(title)")
        #expect(try T.query.order(by: path).values(of: path).last == greatest, "\(title)")
        #expect(try T.where { $0[dynamicMember: path] == values[0] }.count() == 1, "\(title)")
        #expect(
            try T.where { $0[dynamicMember: path] > values[0] }.count() == (values[1] > values[0] ? 1 : 0), "\(title)")
        // The replacement for nil.
        #expect(try T.where { ($0[dynamicMember: path] ?? values[0]) == values[0] }.count() == 2, "\(title)")
        #expect(
            try T.query.values { $0[dynamicMember: path] ?? values[0] } == [values[0], values[1], values[0]], "\(title)"
        )
        try T.query.update {
            let own: Term<V, V?> = $0[dynamicMember: path]
            $0[dynamicMember: path] = own ?? values[1]
        }
        #expect(try T.query.values(of: path) == [values[0], values[1], values[1]], "\(title)")
        try T.where { $0.name == "" }.update { $0[dynamicMember: path] = nil }
        #expect(try T.query.values(of: path) == [values[0], values[1], nil], "\(title)")
    }

    private func dates<T: Formatted>(_: T.Type) throws {
        for (format, path) in T.dates {
            try readings(path, [Self.first, Self.second], "\(T.self).\(format)")
            try comparisons(path, [Self.first, Self.second], "\(T.self).\(format)")
        }
        for (format, path) in T.uuids {
            try readings(path, Self.ids, "\(T.self).\(format)")
            #expect(try T.where { $0[dynamicMember: path] == Self.ids[0] }.count() == 1, "\(T.self).\(format)")
        }
        for path in T.decimals {
            try readings(path, [9, Decimal(41) / 4], "\(T.self), \(path)")
            try comparisons(path, [9, Decimal(41) / 4], "\(T.self), \(path)")
            let sum = Decimal(77) / 4
            #expect(try T.query.sum(path) == sum && T.query.average(path) == sum / 2, "\(T.self), \(path)")
            #expect(try T.query.sum(path, by: \.name)["n1"] == Decimal(41) / 4, "\(T.self), \(path)")
            #expect(try T.query.sum(path, by: { $0.name })["n1"] == Decimal(41) / 4, "\(T.self), \(path)")
            #expect(try T.query.total(path) == 19.25, "\(T.self), \(path)")
        }
    }

    @Test func `each call that returns values decodes them as the property does`() throws {
        try each({ _ throws in try dates(Own.self) }, theirs: { _ throws in try dates(Theirs.self) })
    }

    @Test func `finders decode values as the property does`() throws {
        try each(
            { _ throws in
                let dates: [Date?] = [try Own.maxOfUnix(), try Own.minOfIso(), try Own.maxOfDay()]
                #expect(dates == [Self.second, Self.first, Self.second])
                let sums: [Decimal?] = [try Own.sumOfPrice(), try Own.sumOfDigits(), try Own.maxOfPrice()]
                #expect(sums == [Decimal(77) / 4, Decimal(77) / 4, Decimal(41) / 4])
            },
            theirs: { _ throws in
                let dates: [Date?] = [try Theirs.maxOfUnix(), try Theirs.minOfTime()]
                #expect(dates == [Self.second, Self.first])
                let sums: [Decimal?] = [try Theirs.sumOfDigits(), try Theirs.maxOfDigits()]
                #expect(sums == [Decimal(77) / 4, Decimal(41) / 4])
            })
    }

    @Test func `strings and numbers of existing tables are decoded as the object decodes them`() throws {
        try SampleFile.with(Theirs.sql) { session, _ throws in
            try session.execute("INSERT INTO event (name, open, digits) VALUES ('a', '1', 2.99), ('b', '0', 5)")
            #expect(try Theirs.query.values(of: \.isOpen) == [true, false])
            #expect(try Set(Theirs.query.distinct(\.isOpen)) == [true, false])
            #expect(try Theirs.query.counted(by: \.digits) == [Decimal(string: "2.99"): 1, 5: 1])
            #expect(try Theirs.query.sum(\.digits) == Decimal(string: "7.99"))
        }
    }

    /// Verifies that columns in different formats are never compared or copied without conversion.
    private func pairs<T: Formatted, V: Hashable>(
        _ paths: [(ColumnFormat, ReferenceWritableKeyPath<T, V?>)], _ value: V
    ) throws {
        for (format, path) in paths {
            for (other, otherPath) in paths {
                let title = "\(T.self): \(format) and \(other)"
                let calls: [() throws -> Int] = [
                    { try T.where { $0[dynamicMember: path] == $0[dynamicMember: otherPath] }.count() },
                    { try T.where { $0[dynamicMember: path] != $0[dynamicMember: otherPath] }.count() },
                    { try T.where { $0[dynamicMember: path].isIn(T.query, otherPath) }.count() },
                    { try T.where { ($0[dynamicMember: path] ?? $0[dynamicMember: otherPath]) == value }.count() },
                    { try T.query.update { $0[dynamicMember: path] = $0[dynamicMember: otherPath] } },
                    { try T.join(T.self) { $0[dynamicMember: path] == $1[dynamicMember: otherPath] }.count() },
                ]
                guard format == other else {
                    for (place, call) in calls.enumerated() {
                        #expect(throws: QueryError.self, "\(title), call \(place)") { _ = try call() }
                    }
                    continue
                }
                #expect(try calls.map { try $0() } == [3, 0, 2, 1, 3, 3], "\(title)")
            }
        }
    }

    private func pairs<T: Formatted>(_: T.Type) throws {
        try pairs(T.dates, Self.first)
        try pairs(T.uuids, Self.ids[0])
        for (_, path) in T.dates { #expect(try T.query.values(of: path) == [Self.first, Self.second, nil]) }
    }

    @Test func `comparing or copying columns in different formats is refused`() throws {
        try each({ _ throws in try pairs(Own.self) }, theirs: { _ throws in try pairs(Theirs.self) })
    }

    @Test func `decimal numbers with and without a scale are compared and copied as numbers`() throws {
        try withTemporarySession { _, _ in
            try make(Own.self)
            #expect(try Own.where { $0.price == $0.digits && $0.fine == $0.price }.count() == 3)
            try Own.query.update { $0.fine = $0.price }
            try Own.query.update { $0.digits = $0.fine }
            #expect(try Own.query.values(of: \.digits) == [9, Decimal(41) / 4, nil])
            let error = #expect(throws: QueryError.self) { try Own.query.update { $0.price = $0.fine } }
            #expect(
                "\(try #require(error))".contains(
                    "Own.price: Its column has 2 decimal places, but the new value has 3"))
            #expect(throws: QueryError.self) { try Own.query.update { $0.price = $0.digits } }
            // A function receives the column's value, and its result is decoded in the default format.
            let last = SQLFunction.named("max")
            #expect(throws: QueryError.self) { _ = try Own.query.values { last($0.unix, $0.unix, as: Date.self) } }
            #expect(try Own.query.values { last($0.plain, $0.plain, as: Date.self) } == [Self.first, Self.second, nil])
            #expect(try Own.query.values { last($0.unix, $0.unix, as: Double.self) }.first == 1_728_000_000)
        }
    }

    @Test func `an update cannot read a property with a format after setting it`() throws {
        try withTemporarySession { _, _ in
            try make(Own.self)
            #expect(throws: QueryError.self) {
                try Own.query.update {
                    $0.unix = Self.second
                    $0.plain = $0.unix
                }
            }
        }
    }
}
