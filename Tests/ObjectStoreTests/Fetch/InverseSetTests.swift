import TestSupport
import Testing

@testable import PersistentObjects

/// The inverse of a reference or collection as a set.
@Suite struct InverseSetTests {
    class Team: PersistentObject {
        override class var tableName: String { "team" }
        var name = ""
        @Inverse(\Member.team) var members: Set<Member>
        @OnDelete(.cascade) @Inverse(\Ticket.team) var tickets: Set<Ticket> = []
        @Inverse(\Cup.winners) var cups: Set<Cup>
        @Inverse(\Cup.losers) var losses: Set<Cup>
    }

    final class Member: PersistentObject {
        override class var tableName: String { "member" }
        var name = ""
        var age = 0
        var team: Team?
    }

    final class Ticket: PersistentObject {
        override class var tableName: String { "ticket" }
        var team: Team?
    }

    final class Cup: PersistentObject {
        override class var tableName: String { "cup" }
        var winners: [Team] = []
        var losers: Set<Team> = []
    }

    @Test func `an inverse set can be read and assigned, and elements can be inserted and removed`() throws {
        try withTemporarySession { session, file in
            let (team, ann, bob, cup) = (Team(), Member(), Member(), Cup())
            (ann.age, bob.age) = (30, 40)
            team.members = [ann, bob]
            team.cups = [cup]
            team.losses.insert(cup)
            try team.save()
            #expect(ann.team === team && cup.winners == [team] && cup.losers == [team])
            let ids = [ann, bob].compactMap(\.id)
            try session.reset()
            let again = try #require(try Team.first())
            #expect(Set(again.members.compactMap(\.id)) == Set(ids) && again.cups.count == 1 && again.losses.count == 1)
            #expect(!again.hasChanges)
            let gone = try #require(again.members.first { $0.age == 30 })
            again.members.remove(gone)
            #expect(again.hasChanges && again.changes.map(\.name) == ["members"])
            try again.save()
            #expect(gone.team == nil)
            try expect(file.sqlite("SELECT count(*) FROM member WHERE team_id IS NULL"), "1")
            gone.team = again
            try gone.save()
            #expect(again.members.contains(gone) && !again.hasChanges)
        }
    }

    @Test func `an inverse set works with revert, delete rules, snapshots and queries`() throws {
        try withTemporarySession { _, file in
            let (team, ann, ticket) = (Team(), Member(), Ticket())
            ann.age = 30
            team.members = [ann]
            team.tickets = [ticket]
            try team.save()
            team.members = []
            team.revert()
            expect(team.members, [ann])
            expect(team.snapshot().members, Set([ann].compactMap(\.persistentID)))
            try expect(Team.where { $0.members.any { $0.age > 20 } }.count(), 1)
            try expect(Team.where { $0.members.isEmpty }.count(), 0)
            try expect(Team.where { $0.members.contains(ann) }.count(), 1)
            try expect(Team.findByMembersAge(30).count, 1)
            team.tickets.removeAll()
            try team.save()
            try expect(Ticket.count(), 0)
            try team.set("members", to: [Member]())
            try team.save()
            #expect(ann.team == nil)
        }
    }

    @Test(arguments: SeededGenerator.seeds(8))
    func `after random edits and saves, an inverse set has the elements of a model`(seed: UInt64) throws {
        try withTemporarySession { session, _ in
            var random = SeededGenerator(seed: seed)
            var model: [Int64: Int64] = [:]
            let teams = (0..<3).map { _ in Team() }
            let members = (0..<8).map { _ in Member() }
            try session.save(teams)
            try session.save(members)
            let (teamIDs, memberIDs) = (teams.compactMap(\.id), members.compactMap(\.id))
            for _ in 0..<60 {
                let teamID = try #require(teamIDs.randomElement(using: &random))
                let memberID = try #require(memberIDs.randomElement(using: &random))
                let (team, member) = (try #require(try Team.find(teamID)), try #require(try Member.find(memberID)))
                switch Int.random(in: 0..<5, using: &random) {
                case 0:
                    // A member of another team leaves that team through its reference.
                    guard member.team == nil else { continue }
                    team.members.insert(member)
                    try team.save()
                    model[memberID] = teamID
                case 1:
                    guard team.members.remove(member) != nil else { continue }
                    try team.save()
                    model[memberID] = nil
                case 2:
                    member.team = team
                    try member.save()
                    model[memberID] = teamID
                case 3: try session.reset()
                default:
                    team.members.removeAll()
                    team.revert()
                }
                for team in try Team.all() {
                    let wanted = Set(model.filter { $0.value == team.id }.keys)
                    expect(Set(team.members.compactMap(\.id)), wanted)
                    #expect(!team.hasChanges)
                }
            }
        }
    }
}
