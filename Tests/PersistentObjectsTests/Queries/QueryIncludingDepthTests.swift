import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// `including(\.members.pets.toys)` loads nested parts with one query per step.
struct QueryIncludingDepthTests {
    final class Team: PersistentObject {
        override class var tableName: String { "deep_team" }
        var name = ""
        @Lazy var lead: Member?
        @Lazy var byRole: [String: Member] = [:]
        @Inverse(\Member.team) var members: [Member]
    }

    class Member: PersistentObject {
        override class var tableName: String { "deep_member" }
        var name = ""
        var team: Team?
        @Lazy var friends: Set<Member> = []
        @Lazy var photo: Data?
        @Inverse(\Pet.owner) var pets: [Pet]
    }

    final class Guest: Member {
        var since = 0
    }

    final class Pet: PersistentObject {
        override class var tableName: String { "deep_pet" }
        var owner: Member?
        @Lazy var toys: [String] = []
        @Lazy var vet: Member?
    }

    private func withTeams(_ body: (Session) throws -> Void) throws {
        try withTemporaryStore { store, _ in
            try store.withSession { session in
                let teams = (0..<6).map { number in
                    let team = Team()
                    team.name = "t\(number)"
                    return team
                }
                let members = (0..<40).map { number in
                    let member = number % 5 == 0 ? Guest() : Member()
                    member.name = "m\(number)"
                    member.team = teams[number % 6]
                    member.photo = Data([UInt8(number)])
                    return member
                }
                for (number, member) in members.enumerated() { member.friends = [members[(number + 7) % 40]] }
                for (number, team) in teams.enumerated() {
                    team.lead = members[number * 3]
                    team.byRole = ["cook": members[number], "driver": members[39 - number]]
                }
                let pets = (0..<90).map { number in
                    let pet = Pet()
                    pet.owner = members[number % 37]
                    pet.toys = ["ball \(number)"]
                    pet.vet = members[number % 3]
                    return pet
                }
                try session.save(members as [PersistentObject] + pets)
            }
            try store.withSession { session in
                _ = try (Team.count(), Member.count(), Pet.count())
                try body(session)
            }
        }
    }

    @Test func `everything along an included path is loaded`() throws {
        try withTeams { session throws in
            var teams: [Team] = []
            let log = try statements(of: session) {
                teams = try Team.query.including(\.members.pets.toys, \.lead.photo, \.byRole.friends).all()
            }
            // The number of queries depends on the steps and classes, not on the number of objects.
            #expect(log.count < 25, "\(log.count): \(log)")
            let none = statements(of: session) {
                #expect(teams.map(\.name) == ["t0", "t1", "t2", "t3", "t4", "t5"])
                #expect(teams.flatMap(\.members).count == 40)
                #expect(teams.flatMap(\.members).flatMap(\.pets).count == 90)
                #expect(teams.flatMap(\.members).flatMap(\.pets).flatMap(\.toys).count == 90)
                #expect(teams.allSatisfy { $0.lead?.photo?.count == 1 })
                #expect(teams.flatMap(\.byRole.values).allSatisfy { $0.friends.count == 1 })
            }
            #expect(none.isEmpty, "\(none)")
            // Parts that were not included stay unloaded.
            #expect(teams.flatMap(\.members).flatMap(\.pets).contains { !$0.$vet.isLoaded })
        }
    }

    @Test func `including follows references, optional or not, and key paths with a question mark`() throws {
        try withTeams { session throws in
            var pets: [Pet] = []
            let log = try statements(of: session) {
                pets = try Pet.query.including(\.owner.team.lead).including(\.vet?.pets).limit(30).all()
            }
            #expect(log.count < 20, "\(log.count): \(log)")
            let none = statements(of: session) {
                #expect(pets.allSatisfy { $0.owner?.team?.lead != nil })
                #expect(pets.allSatisfy { $0.vet?.pets.isEmpty == false })
            }
            #expect(none.isEmpty, "\(none)")
        }
    }

    @Test func `including keeps edits and works with other terminal methods`() throws {
        try withTeams { _ throws in
            let team = try #require(try Team.first())
            let member = try #require(team.members.first)
            member.friends = []
            let found = try #require(try Team.query.including(\.members.friends).first())
            #expect(found === team && member.friends.isEmpty && member.hasChanges)
            var count = 0
            try Team.query.including(\.members.pets).forEachBatch(of: 2) { batch in
                for team in batch { count += team.members.count { $0.$pets.isLoaded } }
            }
            expect(count, 40)
        }
    }

    @Test func `a path that leads to no objects is refused before any SQL runs`() throws {
        try withTeams { session throws in
            let path = \Member.name.count
            let log = statements(of: session) {
                #expect(throws: FinderError.self) { try Member.query.including(path).all() }
            }
            #expect(log.isEmpty, "\(log)")
        }
    }
}
