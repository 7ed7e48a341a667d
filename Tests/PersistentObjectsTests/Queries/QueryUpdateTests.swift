import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// `update { }` performs with one statement the same assignments as a loop over the objects.
struct QueryUpdateTests {
    enum Status: String, CaseIterable, Codable { case active, retired }

    final class Company: PersistentObject {
        override class var tableName: String { "company" }
        var name = ""
        @Inverse(\Person.employer) var staff: [Person]
    }

    class Person: PersistentObject {
        override class var tableName: String { "person" }
        var firstName = ""
        var lastName = ""
        var nick: String?
        var age = 0
        var bonus: Int?
        var level: Int8 = 0
        var score: Double?
        var price: Decimal = 0
        var status = Status.active
        var isActive = false
        var isMarried: Bool?
        var employer: Company?
        var mentor: Person?
        var tags: [String] = []
        @Unique var code: Int?
        @Lazy var photo: Data?
    }

    final class Manager: Person {
        var budget = 0
    }

    private func people(_ count: Int) -> [Person] {
        (0..<count).map { index in
            let person = Person()
            person.firstName = "f\(index)"
            person.lastName = "l\(index)"
            person.age = index
            person.code = index
            return person
        }
    }

    @Test func `update assigns constants and values computed from properties`() throws {
        try withTemporarySession { session, _ throws in
            let all = people(4)
            for person in all { person.nick = "n" }
            try session.save(all)
            let age = 30
            let count = try Person.where { $0.age >= 2 }.update {
                $0.lastName = $0.firstName + "x"
                $0.status = .retired
                $0.nick = nil
                $0.age = age
                $0.score = 1.5
            }
            #expect(count == 2)
            #expect(all.map(\.lastName) == ["l0", "l1", "f2x", "f3x"])
            #expect(all.map(\.status) == [.active, .active, .retired, .retired])
            #expect(all.map(\.nick) == ["n", "n", nil, nil])
            #expect(all.map(\.age) == [0, 1, 30, 30])
            #expect(all.map(\.score) == [nil, nil, 1.5, 1.5])
            #expect(all.allSatisfy { !$0.hasChanges })
        }
    }

    @Test func `an assignment sees the assignments above it, as in Swift`() throws {
        try withTemporarySession { session, _ throws in
            let all = people(3)
            try session.save(all)
            try Person.query.update {
                $0.age += 1
                $0.age *= 2
                $0.bonus = $0.age
                $0.age -= 1
                $0.lastName = $0.firstName
                $0.firstName = $0.lastName + "!"
                $0.firstName += "?"
            }
            expect(all.map(\.age), [1, 3, 5])
            expect(all.map(\.bonus), [2, 4, 6])
            expect(all.map(\.lastName), ["f0", "f1", "f2"])
            expect(all.map(\.firstName), ["f0!?", "f1!?", "f2!?"])
        }
    }

    @Test(.onSQLite("PostgreSQL's conditions are no numbers"))
    func `update assigns conditions to Bool properties`() throws {
        try withTemporarySession { session, _ throws in
            let all = people(3)
            all[1].isMarried = true
            all[2].isMarried = false
            try session.save(all)
            try Person.query.update { $0.isActive = $0.age > 0 && $0.bonus == nil }
            expect(all.map(\.isActive), [false, true, true])
            try Person.query.update { $0.isActive = $0.isMarried }
            expect(all.map(\.isActive), [false, true, false])
            try Person.query.update { $0.isActive.toggle() }
            expect(all.map(\.isActive), [true, false, true])
            try Person.query.update { $0.isMarried = nil }
            expect(all.map(\.isMarried), [nil, nil, nil])
            try Person.query.update { $0.isMarried = true }
            try Person.query.update { $0.isActive = !$0.isMarried }
            expect(all.map(\.isActive), [false, false, false])
        }
    }

    @Test func `an update is one statement and reads nothing if no objects are in memory`() throws {
        try withTemporarySession { session, file throws in
            try session.save(people(3))
            var log = try statements(of: session) { try Person.query.update { $0.age += 1 } }
            expect(log.count, 3)
            expect(log.filter { $0.hasPrefix("UPDATE") }.count, 1)
            try expect(file.sqlite("SELECT age FROM person ORDER BY id"), "1\n2\n3")
            let kept = try Person.all()
            log = try statements(of: session) { try Person.where { $0.age > 1 }.update { $0.age += 1 } }
            expect(log.filter { $0.hasPrefix("SELECT") && $0.contains("\"age\"") }.count, 1)
            expect(kept.map(\.age), [1, 3, 4])
        }
    }

    @Test func `an update without assignments or matches does nothing`() throws {
        try withTemporarySession { session, _ throws in
            try session.save(people(1))
            let log = try statements(of: session) { () throws in
                try expect(Person.query.update { _ in }, 0)
            }
            #expect(log.isEmpty)
            try expect(Person.where { $0.age > 99 }.update { $0.age = 1 }, 0)
        }
    }

    @Test func `update respects limit, offset and order`() throws {
        try withTemporarySession { session, _ throws in
            let all = people(6)
            try session.save(all)
            try expect(Person.query.order(by: \.age, .descending).limit(2).update { $0.lastName = "old" }, 2)
            expect(all.filter { $0.lastName == "old" }, [all[4], all[5]])
            try expect(Person.where { $0.age < 4 }.order(by: \.age).limit(2).offset(1).update { $0.age += 100 }, 2)
            expect(all.map(\.age), [0, 101, 102, 3, 4, 5])
            try expect(Person.query.order { $0.age * 2 }.update { $0.age = 7 }, 6)
        }
    }

    @Test func `update assigns values of referenced objects`() throws {
        try withTemporarySession { session, _ throws in
            let acme = Company()
            acme.name = "Acme"
            let all = people(3)
            all[0].employer = acme
            all[1].mentor = all[0]
            try session.save(all)
            try expect(Person.where { $0.employer.name == "Acme" }.update { $0.lastName = "a" }, 1)
            try Person.query.update {
                $0.nick = $0.employer.name
                $0.bonus = $0.mentor.age
                $0.employer = $0.mentor.employer
            }
            expect(all.map(\.nick), ["Acme", nil, nil])
            expect(all.map(\.bonus), [nil, 0, nil])
            expect(all.map(\.employer), [nil, acme, nil])
        }
    }

    @Test func `update of a subclass changes only its rows, and update of a superclass changes all`() throws {
        try withTemporarySession { session, _ throws in
            let manager = Manager()
            manager.budget = 5
            let all = people(2)
            try session.save(all + [manager])
            try expect(
                Manager.query.update {
                    $0.budget += 1; $0.age = 50
                }, 1)
            #expect(manager.budget == 6 && manager.age == 50 && all.map(\.age) == [0, 1])
            try expect(Person.query.update { $0.age = 9 }, 3)
            expect(manager.age, 9)
        }
    }

    @Test(arguments: SeededGenerator.seeds(5)) func `random updates equal loops in Swift`(seed: UInt64) throws {
        try withTemporarySession { session, _ throws in
            var random = SeededGenerator(seed: seed)
            let all = people(40)
            for person in all {
                person.age = Int.random(in: -9...9, using: &random)
                person.bonus = Bool.random(using: &random) ? Int.random(in: 0...9, using: &random) : nil
                person.mentor = all.randomElement(using: &random)
            }
            try session.save(all)
            for _ in 0..<12 {
                let (low, n) = (Int.random(in: -9...9, using: &random), Int.random(in: -3...3, using: &random))
                let isMatched = { (person: Person) in person.age >= low }
                let query = Person.where { $0.age >= low }
                let expected: [[Int?]]
                switch Int.random(in: 0...3, using: &random) {
                case 0:
                    expected = all.map { [isMatched($0) ? $0.age + n : $0.age, $0.bonus] }
                    #expect(try query.count() == query.update { $0.age += n })
                case 1:
                    expected = all.map { [$0.age, isMatched($0) ? $0.age * n : $0.bonus] }
                    try query.update { $0.bonus = $0.age * n }
                case 2:
                    expected = all.map { [$0.age, isMatched($0) ? $0.mentor?.age : $0.bonus] }
                    try query.update { $0.bonus = $0.mentor.age }
                default:
                    expected = all.map { [isMatched($0) ? ($0.bonus ?? 0) - n : $0.age, $0.bonus] }
                    try query.update { $0.age = ($0.bonus ?? 0) - n }
                }
                #expect(all.map { [$0.age, $0.bonus] } == expected)
                #expect(all.allSatisfy { !$0.hasChanges })
            }
        }
    }
}

/// The library defines `+=` for each type that has this operator.
struct QueryUpdateInPlaceTests {
    final class Numbers: PersistentObject {
        override class var tableName: String { "numbers" }
        var a = 1
        var b: Int8 = 1
        var c: Int16 = 1
        var d: Int32 = 1
        var e: Int64 = 1
        var f: UInt = 1
        var g: UInt8 = 1
        var h: UInt16 = 1
        var i: UInt32 = 1
        var j: UInt64 = 1
        var k = 1.5
        var l: Float = 1.5
        var m: Int? = 1
        var n: Double?
        var o = "x"
        var p: String? = "x"
    }

    @Test func `update adds, subtracts and multiplies in place`() throws {
        try withTemporarySession { _, _ throws in
            let numbers = Numbers()
            try numbers.save()
            let two = 2
            try Numbers.query.update {
                $0.a += two; $0.b += 2; $0.c += 2; $0.d += 2; $0.e += 2; $0.f += 2; $0.g += 2; $0.h += 2; $0.i += 2
                $0.j += 2; $0.k += 2; $0.l += 2; $0.m += 2; $0.n += 2; $0.o += "y"; $0.p += "y"
            }
            try Numbers.query.update {
                $0.a *= 3; $0.b *= 3; $0.c *= 3; $0.d *= 3; $0.e *= 3; $0.f *= 3; $0.g *= 3; $0.h *= 3; $0.i *= 3
                $0.j *= 3; $0.k *= 2; $0.l *= 2; $0.m *= 3; $0.n *= 2
            }
            try Numbers.query.update {
                $0.a -= 1; $0.b -= $0.b; $0.g -= $0.g; $0.k -= $0.k; $0.m -= 1; $0.o += $0.o
            }
            #expect(numbers.a == 8 && numbers.b == 0 && numbers.c == 9 && numbers.d == 9 && numbers.e == 9)
            #expect(numbers.f == 9 && numbers.g == 0 && numbers.h == 9 && numbers.i == 9 && numbers.j == 9)
            #expect(numbers.k == 0 && numbers.l == 7 && numbers.m == 8 && numbers.n == nil)
            #expect(numbers.o == "xyxy" && numbers.p == "xy")
            try Numbers.query.update {
                $0.m = $0.a; $0.a += 1
            }
            #expect(numbers.m == 8 && numbers.a == 9)
            let error = #expect(throws: StoreError.self) { try Numbers.query.update { $0.g -= 1 } }
            #expect(error?.code == .typeMismatch && error?.property == "g" && error?.rowID == 1)
            #expect(numbers.g == 0)
        }
    }
}
