import Foundation
import PersistentObjects

/// A team whose players refer to it.
final class Club: PersistentObject, OurTeam {
    var name = ""
    var number = 0
    @Inverse(\ClubMember.club) var members: [ClubMember]

    convenience init(_ data: TeamData) {
        self.init()
        name = data.name
        number = data.number
        members = data.members.map(ClubMember.init)
    }
}

/// A player with a reference to a club.
final class ClubMember: PersistentObject, PlayerValues {
    var firstName = ""
    var lastName = ""
    var email = ""
    var age = 0
    var score = 0.0
    var createdAt = Date(timeIntervalSinceReferenceDate: 0)
    var active = false
    var nickname: String?
    var club: Club?

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
