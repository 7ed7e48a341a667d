import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Properties that are renamed and converted in the same version: the column is renamed first and then converted,
/// whichever of its names the conversion uses.
struct RenamedConversionTests {
    enum Old {
        final class Entry: PersistentObject {
            override class var tableName: String { "entry" }
            override class var keepsHistory: Bool { !TestEngine.isPostgres }
            @Indexed var minutes = 125
            var day = "2026-01-05"
            var other = 3
        }
    }

    private func file() throws -> TemporaryStore {
        let file = try TemporaryStore()
        let store = try Store(file.path)
        defer { store.close() }
        try store.withSession { session throws in
            let second = Old.Entry()
            (second.minutes, second.day, second.other) = (60, "2026-02-28", 4)
            try session.save([Old.Entry(), second])
        }
        return file
    }

    /// Opens the file twice; the conversion runs only the first time. Returns the notes.
    @discardableResult private func check<T: PersistentObject, V: Equatable>(
        _ type: T.Type, _ value: (T) -> V, _ wanted: [V], in file: TemporaryStore? = nil
    ) throws -> [String] {
        let file = try file ?? self.file()
        let notes = Recorder<String>()
        for _ in 0..<2 {
            let store = try Store(file.path, configuration: .init(onNote: { notes.add($0) }))
            defer { store.close() }
            try store.withSession { _ throws in
                #expect(try T.query.order(by: \.id).all().map(value) == wanted)
                try T().save()
                try #require(try T.query.order(by: \.id).last()).delete()
            }
        }
        #expect(
            try TestEngine.isPostgres
                || file.sqlite("SELECT count(*) FROM pragma_table_info('entry') WHERE name LIKE 'po%'") == "0")
        #expect(try file.isSound)
        return notes.all
    }

    enum TypeByFormerName {
        final class Entry: PersistentObject {
            override class var tableName: String { "entry" }
            override class var keepsHistory: Bool { !TestEngine.isPostgres }
            @Indexed @Column("hours", renamedFrom: "minutes") var hours = ""
            override class var conversions: [PropertyConversion] {
                [PropertyConversion(\Entry.hours, from: "minutes") { (m: Int) in "\(m / 60) h" }]
            }
        }
    }
    enum TypeByName {
        final class Entry: PersistentObject {
            override class var tableName: String { "entry" }
            override class var keepsHistory: Bool { !TestEngine.isPostgres }
            @Unique @Column("hours", renamedFrom: "minutes") var hours: String? = nil
            override class var conversions: [PropertyConversion] {
                [PropertyConversion(\Entry.hours, from: "hours") { (m: Int) in "\(m / 60) h" }]
            }
        }
    }

    @Test func `a renamed property is converted to another type, under either column name`() throws {
        try check(TypeByFormerName.Entry.self, \.hours, ["2 h", "1 h"])
        try check(TypeByName.Entry.self, \.hours, ["2 h", "1 h"])
    }

    enum UnitByFormerName {
        final class Entry: PersistentObject {
            override class var tableName: String { "entry" }
            override class var keepsHistory: Bool { !TestEngine.isPostgres }
            @Column("seconds", renamedFrom: "minutes") var seconds = 0
            override class var conversions: [PropertyConversion] {
                [PropertyConversion(\Entry.seconds, from: "minutes") { (m: Int) in m * 60 }]
            }
        }
    }
    enum UnitByName {
        final class Entry: PersistentObject {
            override class var tableName: String { "entry" }
            @Column("seconds", renamedFrom: "minutes") var seconds = 0
            override class var conversions: [PropertyConversion] {
                [PropertyConversion(\Entry.seconds, from: "seconds") { (m: Int) in m * 60 }]
            }
        }
    }

    @Test func `a renamed property is converted without a change of type, under either column name`() throws {
        let file = try file()
        #expect(
            try check(UnitByFormerName.Entry.self, \.seconds, [7500, 3600], in: file).allSatisfy {
                !$0.contains("conversion")
            })
        if !TestEngine.isPostgres {
            let store = try Store(file.path)
            defer { store.close() }
            try store.withSession { _ throws in
                #expect(try UnitByFormerName.Entry.find(1)?.history.count() ?? 0 > 0)
            }
        }
        try check(UnitByName.Entry.self, \.seconds, [7500, 3600])
    }

    enum DayByFormerName {
        final class Entry: PersistentObject {
            override class var tableName: String { "entry" }
            @Column("date", renamedFrom: "day") var date = Date.distantPast
            override class var conversions: [PropertyConversion] {
                [
                    PropertyConversion(\Entry.date, from: "day") { (text: String) in
                        try RenamedConversionTests.date(text)
                    }
                ]
            }
        }
    }
    enum DayByName {
        final class Entry: PersistentObject {
            override class var tableName: String { "entry" }
            @Column("date", renamedFrom: "day") var date: Date?
            override class var conversions: [PropertyConversion] {
                [
                    PropertyConversion(\Entry.date, from: "date") { (text: String) in
                        try RenamedConversionTests.date(text)
                    }
                ]
            }
        }
    }
    static func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601.year().month().day()) }

    @Test func `types without an automatic conversion are converted, under either column name`() throws {
        let dates = try ["2026-01-05", "2026-02-28"].map { try RenamedConversionTests.date($0) }
        try check(DayByFormerName.Entry.self, \.date, dates)
        try check(DayByName.Entry.self, \.date, dates)
    }

    enum Several {
        final class Entry: PersistentObject {
            override class var tableName: String { "entry" }
            var total = 0
            @Column("seconds", renamedFrom: "minutes") var seconds = 0
            @Column("minutes", renamedFrom: "other") var minutes = ""
            var day: [String] = []
            var copy = 0
            override class var conversions: [PropertyConversion] {
                [
                    PropertyConversion(\Entry.total, from: "minutes") { (m: Int) in m + 1 },
                    PropertyConversion(\Entry.seconds, from: "minutes") { (m: Int) in m * 60 },
                    PropertyConversion(\Entry.copy, from: "other") { (m: Int) in m },
                ]
            }
        }
    }

    @Test func `each conversion reads the old column, even if the version changes that column too`() throws {
        try check(
            Several.Entry.self, { "\($0.total) \($0.seconds) \($0.minutes) \($0.copy) \($0.day)" },
            ["126 7500 3 3 [\"2026-01-05\"]", "61 3600 4 4 [\"2026-02-28\"]"])
    }

    enum Retyped {
        final class Entry: PersistentObject {
            override class var tableName: String { "entry" }
            var hours = 0
            var minutes = ""
            override class var conversions: [PropertyConversion] {
                [PropertyConversion(\Entry.hours, from: "minutes") { (m: Int) in m / 60 }]
            }
        }
    }

    @Test func `a conversion can read a column whose type is converted automatically`() throws {
        try check(Retyped.Entry.self, { "\($0.hours) \($0.minutes)" }, ["2 125", "1 60"])
    }

    enum Exchanged {
        final class Entry: PersistentObject {
            override class var tableName: String { "entry" }
            @Column("other", renamedFrom: "minutes") var other = 0
            @Column("minutes", renamedFrom: "other") var minutes = ""
            override class var conversions: [PropertyConversion] {
                [PropertyConversion(\Entry.other, from: "minutes") { (m: Int) in m * 60 }]
            }
        }
    }

    @Test func `column names are swapped and one column is converted`() throws {
        try check(Exchanged.Entry.self, { "\($0.other) \($0.minutes)" }, ["7500 3", "3600 4"])
    }

    @Test func `an index of another program follows a renamed and converted column`() throws {
        let file = try file()
        _ = try file.sqlite("CREATE INDEX foreign_one ON entry (day); CREATE INDEX foreign_two ON entry (minutes)")
        try check(
            DayByName.Entry.self, \.date, try ["2026-01-05", "2026-02-28"].map { try RenamedConversionTests.date($0) },
            in: file)
        try check(Renamed.Entry.self, \.length, ["125", "60"], in: file)
    }
    enum Renamed {
        final class Entry: PersistentObject {
            override class var tableName: String { "entry" }
            @Column("length", renamedFrom: "minutes") var length = ""
        }
    }

    enum Hierarchy {
        class Item: PersistentObject { override class var tableName: String { "item" } }
        final class Work: Item { var minutes = 90 }
        final class Rest: Item { var minutes = 30 }
    }
    enum OneConverts {
        class Item: PersistentObject { override class var tableName: String { "item" } }
        final class Work: Item {
            var minutes = ""
            override class var conversions: [PropertyConversion] {
                [PropertyConversion(\Work.minutes, from: "minutes") { (m: Int) in "\(m) min" }]
            }
        }
        final class Rest: Item { var minutes = 30 }
    }
    enum SubclassRenames {
        class Item: PersistentObject { override class var tableName: String { "item" } }
        final class Work: Item {
            @Column("seconds", renamedFrom: "minutes") var seconds = 0
            override class var conversions: [PropertyConversion] {
                [PropertyConversion(\Work.seconds, from: "minutes") { (m: Int) in m * 60 }]
            }
        }
    }

    @Test func `a subclass converts its own rows, but not a column that it shares with a sibling`() throws {
        for isShared in [false, true] {
            let file = try TemporaryStore()
            let first = try Store(file.path)
            try first.withSession { session throws in
                try session.save(
                    isShared ? [Hierarchy.Work(), Hierarchy.Rest()] : [Hierarchy.Work(), Hierarchy.Item()])
            }
            first.close()
            let store = try Store(file.path)
            defer { store.close() }
            if isShared {
                #expect(throws: SchemaError.self) { try store.prepare(OneConverts.Work.self) }
                try store.withSession { _ throws in #expect(try Hierarchy.Rest.all().map(\.minutes) == [30]) }
            } else {
                try store.withSession { _ throws in
                    #expect(try SubclassRenames.Work.all().map(\.seconds) == [5400])
                    #expect(try SubclassRenames.Item.count() == 2)
                }
            }
        }
    }

    enum Late {
        final class Entry: PersistentObject {
            override class var tableName: String { "entry" }
            @Column("length", renamedFrom: "minutes") var length = ""
            var day = ""
            var total = 0
            override class var conversions: [PropertyConversion] {
                [
                    PropertyConversion(\Entry.length, from: "other") { (n: Int) in "\(n)" },
                    PropertyConversion(\Entry.day, from: "day") { (text: String) in text + "!" },
                    PropertyConversion(\Entry.total, from: "mintues") { (n: Int) in n },
                ]
            }
        }
    }
    enum First {
        final class Entry: PersistentObject {
            override class var tableName: String { "entry" }
            var hours = 0
            override class var conversions: [PropertyConversion] {
                [PropertyConversion(\Entry.hours, from: "minutes") { (m: Int) in m / 60 }]
            }
        }
    }
    enum Second {
        final class Entry: PersistentObject {
            override class var tableName: String { "entry" }
            @Column("full_hours", renamedFrom: "hours") var fullHours = 0
            @Indexed var note = ""
            override class var conversions: [PropertyConversion] {
                [PropertyConversion(\Entry.fullHours, from: "minutes") { (m: Int) in m / 60 }]
            }
        }
    }

    @Test func `a conversion that does not run is noted, and one that has run is not`() throws {
        let notes = try check(Late.Entry.self, \.length, ["125", "60"]).filter { $0.contains("conversion") }
        let start =
            "Entry.length: The conversion from column \"other\" does not run, because column \"length\" already exists"
        #expect(notes.count == 3 && notes.contains { $0.hasPrefix(start) && $0.hasSuffix("use store.migrate") })
        #expect(notes.contains { $0.contains("Entry.day") && $0.contains("a value of the same type") })
        #expect(notes.contains { $0.contains("Entry.total") && $0.contains("has no column \"mintues\"") })
        let file = try file()
        for notes in [
            try check(First.Entry.self, \.hours, [2, 1], in: file),
            try check(Second.Entry.self, \.fullHours, [2, 1], in: file),
        ] { #expect(notes.allSatisfy { !$0.contains("conversion") }) }
    }
}
