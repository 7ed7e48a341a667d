import Foundation
@_spi(Locks) import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Custom operators find the same objects as a Swift filter.
struct OwnOperatorTests {
    private typealias Person = OwnOperatorModel.Person
    private typealias Company = OwnOperatorModel.Company

    @Test(.onSQLite("PostgreSQL calls no functions of the program yet"), arguments: SeededGenerator.seeds(3))
    func `custom operators find the same objects as Swift filters`(seed: UInt64) throws {
        try OwnOperatorModel.with(seed) { _, people, companies throws in
            let check = FinderFilter(people)
            func alike(_ text: String?, _ other: String) -> Bool {
                text.map { OwnOperatorModel.sound($0) == OwnOperatorModel.sound(other) } ?? false
            }
            let (acme, other) = (companies[0], companies[1])
            for (prefix, isMeant) in [("", true), ("Is", true), ("Not", false), ("IsNot", false)] {
                try check("findByLastName\(prefix)SoundsLike", "Smeeth") { alike($0.lastName, "Smeeth") == isMeant }
                try check("findByNick\(prefix)SoundsLike", "Jons") { alike($0.nick, "Jons") == isMeant }
                try check("findByNick\(prefix)Shouted") { ($0.nick == $0.nick?.uppercased()) == isMeant }
                try check("findByAge\(prefix)NearTo", 4, 2) {
                    ($0.age.map { (2...6).contains($0) } ?? false) == isMeant
                }
                try check("findByNick\(prefix)LengthBetween", 4, 5) {
                    ($0.nick.map { (4...5).contains($0.count) } ?? false) == isMeant
                }
                try check("findByNick\(prefix)LengthBetween", 5, nil) {
                    ($0.nick.map { $0.count >= 5 } ?? false) == isMeant
                }
                try check("findByEmployer\(prefix)AtCompanyNamed", "Acme") { ($0.employer === acme) == isMeant }
                try check("findByEmployer\(prefix)Beside", other) { ($0.employer !== other) == isMeant }
                try check("findByEmployer\(prefix)Beside", nil) { ($0.employer != nil) == isMeant }
                try check("findByTags\(prefix)WithSome", "x") { $0.tags.contains("x") == isMeant }
                try check("findByFriends\(prefix)AnyCalled", "Smith") {
                    $0.friends.contains { $0.lastName == "Smith" } == isMeant
                }
                try check("findById\(prefix)Above", 20) { ($0.id! > 20) == isMeant }
                try check("findBySince\(prefix)After100") { ($0.since.timeIntervalSinceReferenceDate > 100) == isMeant }
                try check("findByIsActive\(prefix)Either", [true]) { ($0.isActive == true) == isMeant }
            }
        }
    }

    @Test(.onSQLite("PostgreSQL calls no functions of the program yet"), arguments: SeededGenerator.seeds(2))
    func `custom operators work at the end of paths`(seed: UInt64) throws {
        try OwnOperatorModel.with(seed) { _, people, _ throws in
            let check = FinderFilter(people)
            let isAcme = { (text: String?) in text.map { OwnOperatorModel.sound($0) == "Acm" } ?? false }
            let isSmith = { (text: String?) in text.map { OwnOperatorModel.sound($0) == "Smth" } ?? false }
            try check("findByEmployerNameSoundsLike", "Acme") { isAcme($0.employer?.name) }
            try check("findByEmployer_NameNotSoundsLike", "Acme") { !isAcme($0.employer?.name) }
            try check("findByEmployerMottoIsNotSoundsLike", "Smith") { !isSmith($0.employer?.motto) }
            try check("findByBossEmployerNameSoundsLike", "Acme") { isAcme($0.boss?.employer?.name) }
            try check("findByBossFriendsAnyCalled", "Smith") {
                $0.boss?.friends.contains { $0.lastName == "Smith" } ?? false
            }
            try check("findByFriendsNickSoundsLike", "Smith") { $0.friends.contains { isSmith($0.nick) } }
            try check("findByFriendsNickNotSoundsLike", "Smith") { $0.friends.contains { !isSmith($0.nick) } }
            // Both criteria apply to the same friend.
            try check("findByFriendsNickSoundsLikeAndFriendsAgeNearTo", "Smith", 5, 3) {
                $0.friends.contains { isSmith($0.nick) && ($0.age.map { (2...8).contains($0) } ?? false) }
            }
            try check("findByFriendsEmployerNameSoundsLike", "Acme") {
                $0.friends.contains { isAcme($0.employer?.name) }
            }
            try check("findByFriendsFriendsAnyCalled", "Jones") {
                $0.friends.contains { $0.friends.contains { $0.lastName == "Jones" } }
            }
        }
    }

    @Test(.onSQLite("PostgreSQL calls no functions of the program yet"))
    func `custom operators work with each subject, other criteria and orders`() throws {
        try OwnOperatorModel.with(6) { _, people, _ throws in
            func isSmith(_ text: String?) -> Bool { text.map { OwnOperatorModel.sound($0) == "Smth" } ?? false }
            let smiths = people.filter { isSmith($0.lastName) }
            let called: [Person] = try Person.findByLastNameSoundsLike("Smith")
            #expect(Set(called) == Set(smiths) && !smiths.isEmpty)
            let first: Person? = try Person.findFirstByLastNameSoundsLike("Smith")
            #expect(first === smiths.first)
            let last: [Person] = try Person.findLast2ByLastNameSoundsLike("Smith")
            #expect(last == smiths.suffix(2))
            let count: Int = try Person.countByLastNameSoundsLike("Smith")
            #expect(count == smiths.count)
            #expect(try Person.existsByLastNameSoundsLike("Smith"))
            #expect(try !Person.existsByLastNameSoundsLike("Qqq"))
            #expect(try Person.idsByLastNameSoundsLike("Smith", .order(by: \Person.id)) == smiths.map { $0.id! })
            let sum: Int? = try Person.sumOfAgeByLastNameSoundsLike("Smith")
            #expect(sum ?? 0 == smiths.compactMap(\.age).reduce(0, +))
            let ordered: [Person] = try Person.findByLastNameSoundsLikeOrNickShoutedAndAgeNotNullOrderByAgeDescAndId(
                "Smith")
            let wanted = people.filter {
                isSmith($0.lastName) || $0.nick == $0.nick?.uppercased() && $0.age != nil
            }
            #expect(Set(ordered) == Set(wanted))
            #expect(zip(ordered, ordered.dropFirst()).allSatisfy { $0.age ?? -1 >= $1.age ?? -1 })
            let cased: [Person] = try Person.findByLastNameAndNickSoundsLikeAllIgnoreCase("smith", "Smith")
            #expect(Set(cased) == Set(people.filter { $0.lastName.lowercased() == "smith" && isSmith($0.nick) }))
            let page: [Person] = try Person.findByLastNameSoundsLike("Smith", .order(by: \Person.id), .limit(2))
            #expect(page == Array(smiths.prefix(2)))
            let deleted: Int = try Person.deleteByLastNameSoundsLike("Smith")
            #expect(deleted == smiths.count)
            #expect(try Person.count() == people.count - smiths.count)
        }
    }

    @Test(.onSQLite("PostgreSQL calls no functions of the program yet"))
    func `a class has its own operators and those of its superclass`() throws {
        try OwnOperatorModel.with(7) { _, _, companies throws in
            let acme: [Company] = try Company.findByNameSoundsLike("Acme")
            #expect(Set(acme) == Set(companies.prefix(2)))
            let error = #expect(throws: FinderError.self) { let _: [Company] = try Company.findByNameNearTo("x", 1) }
            guard case .unknownOperator(_, _, _, "NearTo", _, _)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    final class Loud: PersistentObject {
        override class var tableName: String { "loud" }
        override class var finderOperators: [FinderOperator] {
            [FinderOperator("Like2") { (text: Term<String, String?>, other: String) in text == other + "!" }]
        }
        var text = ""
        var quiet: Quiet?
    }

    final class Quiet: PersistentObject {
        override class var tableName: String { "quiet" }
        override class var finderOperators: [FinderOperator] {
            [FinderOperator("Like2") { (text: Term<String, String?>) in text == "quiet" }]
        }
        var text = ""
    }

    @Test func `two classes can define the same operator differently, and the finder's class decides`() throws {
        try withTemporarySession { session, _ throws in
            let (loud, quiet) = (Loud(), Quiet())
            (loud.text, quiet.text, loud.quiet) = ("x!", "quiet", quiet)
            try session.save([loud, quiet])
            try expect(Loud.findByTextLike2("x"), [loud])
            try expect(Quiet.findByTextLike2(), [quiet])
            #expect(try Loud.findByQuietTextLike2("quiet").isEmpty)
            #expect(throws: FinderError.self) { let _: [Loud] = try Loud.findByQuietTextLike2() }
        }
    }

    final class Counted: PersistentObject {
        static let calls = Locked(0)
        override class var tableName: String { "counted" }
        override class var finderOperators: [FinderOperator] {
            calls.withLock { $0 += 1 }
            return [FinderOperator("Twice") { (number: Term<Int, Int?>, half: Int) in number == half * 2 }]
        }
        var number = 0
    }

    @Test func `finderOperators is read once per class, even with concurrent first use`() async throws {
        for _ in 0..<3 {
            try withTemporarySession { session, _ throws in
                let counted = Counted()
                counted.number = 4
                try counted.save()
                try expect(Counted.findByNumberTwice(2), [counted])
                try expect(Counted.countByNumberNotTwice(2), 0)
                try Counted.checkFinders(["findByNumberIsTwice"])
            }
        }
        expect(Counted.calls.withLock { $0 }, 1)
        let file = try TemporaryStore()
        // The tasks wait for each other, on a busy machine for seconds.
        let store = try file.open(configuration: .init(busyTimeout: .seconds(600)))
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try store.withSession { _ in
                        let fresh = Fresh()
                        fresh.number = 6
                        try fresh.save()
                        return try Fresh.countByNumberThrice(2) as Int
                    }
                }
            }
            for try await count in group { #expect(count >= 1) }
        }
    }

    final class Fresh: PersistentObject {
        override class var tableName: String { "fresh" }
        override class var finderOperators: [FinderOperator] {
            [FinderOperator("Thrice") { (number: Term<Int, Int?>, third: Int) in number == third * 3 }]
        }
        var number = 0
    }
}
