import Foundation
import PersistentObjects

/// The requirements of works on the library's side for classes of teams.
protocol OurTeam: PersistentObject, TeamValues where Member: PersistentObject {
    init(_ data: TeamData)
}

/// A team whose players are loaded with it.
final class Team: PersistentObject, OurTeam {
    var name = ""
    var number = 0
    var members: [Member] = []

    convenience init(_ data: TeamData) {
        self.init()
        name = data.name
        number = data.number
        members = data.members.map(Member.init)
    }
}

/// A team in the same table, whose players are loaded at the first access.
final class LazyTeam: PersistentObject, OurTeam {
    override class var tableName: String { "team" }

    var name = ""
    var number = 0
    @Lazy var members: [Member] = []

    convenience init(_ data: TeamData) {
        self.init()
        name = data.name
        number = data.number
        members = data.members.map(Member.init)
    }
}

/// A player in the arrays of teams.
final class Member: PersistentObject, PlayerValues {
    var firstName = ""
    var lastName = ""
    var email = ""
    var age = 0
    var score = 0.0
    var createdAt = Date(timeIntervalSinceReferenceDate: 0)
    var active = false
    var nickname: String?

    var teamId: Int? { nil }

    convenience init(_ data: PlayerData) {
        self.init()
        firstName = data.firstName
        lastName = data.lastName
        email = data.email
        age = data.age
        score = data.score
        createdAt = data.createdAt
        active = data.active
        nickname = data.nickname
    }
}
