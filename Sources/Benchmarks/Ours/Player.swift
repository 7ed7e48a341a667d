import Foundation
import PersistentObjects

/// The library's side: a class as a user writes it.
final class Player: PersistentObject {
    var firstName = ""
    @Indexed var lastName = ""
    var email = ""
    var age = 0
    var score = 0.0
    var createdAt = Date(timeIntervalSinceReferenceDate: 0)
    var active = false
    var nickname: String?
    var teamId: Int?

    /// An unsaved player with these values.
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
        teamId = data.teamId
    }
}
