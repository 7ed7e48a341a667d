import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// The size of a field's value may be less than its stride, and the next field is stored in the difference.
@Suite struct NeighbourTests {
    final class Crowded: PersistentObject {
        var age: Int?
        var flag = false
        var maybeReal: Double?
        var small: UInt8 = 1
        var other: UInt8 = 2
        var padded = PaddedValue()
        var afterPadded: UInt8 = 3
        var maybeDate: Date?
        var mood = Two.a
        var maybeSmall: Int16?
        var last: Int8 = 4
        enum Two: String { case a, b }
    }

    private func fill(_ crowded: Crowded) {
        crowded.flag = true
        (crowded.small, crowded.other, crowded.afterPadded, crowded.last) = (11, 12, 13, 14)
        crowded.mood = .b
    }

    private func isFilled(_ crowded: Crowded) -> Bool {
        crowded.flag && crowded.small == 11 && crowded.other == 12 && crowded.afterPadded == 13 && crowded.last == 14
            && crowded.mood == .b
    }

    private var wide: [PartialKeyPath<Crowded>] { [\.age, \.maybeReal, \.padded, \.maybeDate, \.maybeSmall] }

    private func widen(_ crowded: Crowded) {
        crowded.age = 5
        crowded.maybeReal = 5
        crowded.padded.end = false
        crowded.maybeDate = Date()
        crowded.maybeSmall = 5
    }

    @Test func `the fields of the test class are stored in each other's strides`() throws {
        let fields = try FieldMetadata.fields(of: Crowded.self, below: PersistentObject.self)
        let offsets = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.offset) })
        let age = try #require(offsets["age"])
        let padded = try #require(offsets["padded"])
        expect(offsets["flag"], age + 9)
        expect(offsets["afterPadded"], padded + 17)
    }

    @Test func `a revert of one field keeps the edits of its neighbors`() throws {
        try Store.inMemory().withSession { _ in
            let crowded = Crowded()
            try crowded.save()
            widen(crowded)
            fill(crowded)
            for path in wide { crowded.revert(path) }
            #expect(isFilled(crowded))
            #expect(crowded.age == nil && crowded.padded.end && crowded.maybeSmall == nil)
            crowded.revert()
            #expect(!crowded.hasChanges && !crowded.flag && crowded.small == 1)
        }
    }

    @Test func `refresh and reload of one field keep its neighbors`() throws {
        try withTemporarySession { session, _ in
            let crowded = Crowded()
            try crowded.save()
            fill(crowded)
            try session.store.withSession { _ in
                let other = try #require(try Crowded.find(1))
                widen(other)
                try other.save()
            }
            _ = try Crowded.all()
            #expect(isFilled(crowded))
            #expect(crowded.age == 5 && crowded.maybeReal == 5 && !crowded.padded.end && crowded.maybeSmall == 5)
            expect(crowded.changes.map(\.name), ["flag", "small", "other", "afterPadded", "mood", "last"])
            try crowded.save()
            try crowded.reload()
            #expect(isFilled(crowded) && crowded.age == 5)
        }
    }

    @Test func `copying an object copies each field exactly`() throws {
        try Store.inMemory().withSession { _ in
            let crowded = Crowded()
            widen(crowded)
            fill(crowded)
            let copy = crowded.copy()
            #expect(isFilled(copy) && copy.age == 5 && copy.maybeSmall == 5 && !copy.padded.end)
            copy.age = nil
            #expect(crowded.age == 5 && isFilled(crowded))
        }
    }

    @Test func `updating the baseline of some columns keeps the changes of the others`() throws {
        try Store.inMemory().withSession { session in
            let crowded = Crowded()
            try crowded.save()
            let map = try ClassMap.map(of: Crowded.self)
            let block = try #require(crowded.baseline)
            widen(crowded)
            fill(crowded)
            var columns = ColumnSet()
            for name in ["age", "maybeReal", "padded", "maybeDate", "maybeSmall"] {
                columns.insert(try #require(map.ordinal(of: name)))
            }
            map.baseline.recapture(columns, of: ObjectMemory.start(of: crowded), in: block)
            expect(crowded.changes.map(\.name), ["flag", "small", "other", "afterPadded", "mood", "last"])
            crowded.revert()
        }
    }
}
