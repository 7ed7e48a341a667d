import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Creating a class map: once for each class, whatever the class's `init()` does.
@Suite struct ClassMapTests {
    final class Raced: PersistentObject {
        var name = "n"
        @Indexed var age: Int?
    }

    @Test func `threads that map a class concurrently get the same map`() {
        let maps = Recorder<ObjectIdentifier?>()
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            maps.add((try? ClassMap.map(of: Raced.self)).map { ObjectIdentifier($0) })
        }
        #expect(Set(maps.all).count == 1 && maps.all.first != .some(nil))
    }

    final class Initial: PersistentObject {
        var constant = 7
        var date = Date()
        var uuid = UUID()
        var random = Double.random(in: 0..<1)
        var nan = Double.nan
        var maybe: String?
        var note = SharedNote()
    }

    @Test func `the class map records initial values, and whether each is constant`() throws {
        let map = try ClassMap.map(of: Initial.self)
        func initial(_ name: String) -> ClassMap.DefaultValue? { map.ordinal(of: name).flatMap { map.defaults[$0] } }
        #expect(initial("constant")?.value == .integer(7) && initial("constant")?.isConstant == true)
        for name in ["date", "uuid", "random"] { expect(initial(name)?.isConstant, false) }
        #expect(initial("nan") == nil)
        #expect(initial("maybe")?.value == .null && initial("maybe")?.isConstant == true)
        expect(initial("note")?.isConstant, true)
        #expect(map.ordinal(of: "nothing") == nil)
    }

    // MARK: Initializers with side effects

    final class Busy: PersistentObject {
        static let errors = Recorder<any Error>()
        var name = "n"
        required init() {
            super.init()
            do { _ = try Busy.count() } catch { Busy.errors.add(error) }
        }
    }

    @Test func `while a class is mapped, its init() cannot use the store; afterwards it can`() throws {
        try Store.inMemory().withSession { session in
            let busy = Busy()
            #expect(Busy.errors.all.count >= 1)
            for error in Busy.errors.all {
                let isRefused = (error as? StoreError)?.code == .misuse || error is SchemaError
                #expect(isRefused, "\(error)")
            }
            let count = Busy.errors.all.count
            try busy.save()
            try session.store.withSession { _ in
                let found = try Busy.find(1)
                expect(found?.name, "n")
            }
            expect(Busy.errors.all.count, count)
        }
    }

    final class Curious: PersistentObject {
        static let texts = Recorder<String>()
        var name = "n"
        required init() {
            super.init()
            Curious.texts.add("\(description) \(hasChanges) \(changes.count) \(self["name"] as? String ?? "-")")
        }
    }

    @Test func `an init() that inspects its object does not map the class repeatedly`() throws {
        let curious = Curious()
        expect(curious.changes.map(\.name), ["name"])
        #expect(Curious.texts.all.count >= 2)
    }

    final class SelfSaving: PersistentObject {
        @TaskLocal static var saves = false
        var name = "n"
        required init() {
            super.init()
            if SelfSaving.saves { try? save() }
        }
    }

    @Test func `reading a row into an object whose init() saves it is an error`() throws {
        try withTemporarySession { session, _ in
            try SelfSaving().save()
            try session.store.withSession { _ in
                let error = #expect(throws: StoreError.self) {
                    try SelfSaving.$saves.withValue(true) { try SelfSaving.find(1) }
                }
                #expect(error?.code == .misuse && error?.className == "SelfSaving")
            }
        }
    }

    // MARK: Sets of columns

    @Test(arguments: [1, 2] as [UInt64])
    func `a column set contains the inserted columns, for any number of columns`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for limit in [3, 64, 65, 300] {
            var columns = ColumnSet()
            var other = ColumnSet()
            var model: Set<Int> = []
            #expect(columns.isEmpty)
            for _ in 0..<limit {
                let place = Int.random(in: 0..<limit, using: &random)
                columns.insert(place)
                model.insert(place)
            }
            for place in model.sorted(by: >) { other.insert(place) }
            var walked: [Int] = []
            columns.forEach { walked.append($0) }
            expect(walked, model.sorted())
            #expect(columns == other && columns.hashValue == other.hashValue && !columns.isEmpty)
            for place in 0..<(limit + 70) { expect(columns.contains(place), model.contains(place)) }
        }
    }
}
