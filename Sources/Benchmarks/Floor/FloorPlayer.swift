import Foundation

/// A player of the hand-written side: a plain class that reads its own row.
final class FloorPlayer {
    /// 0 until inserted.
    var id: Int64
    var firstName: String
    var lastName: String
    var email: String
    var age: Int
    var score: Double
    var createdAt: Date
    var active: Bool
    var nickname: String?
    var teamId: Int?
    /// Whether it was changed. All code that changes the object must set it.
    var isDirty = false

    /// A player that is not in the database.
    init(_ data: PlayerData) {
        id = 0
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

    /// A player with these values.
    @inline(__always)
    init(
        id: Int64, firstName: String, lastName: String, email: String, age: Int, score: Double, createdAt: Date,
        active: Bool, nickname: String?, teamId: Int?
    ) {
        (self.id, self.firstName, self.lastName, self.email) = (id, firstName, lastName, email)
        (self.age, self.score, self.createdAt, self.active) = (age, score, createdAt, active)
        (self.nickname, self.teamId) = (nickname, teamId)
    }

    /// The player in the current row of the statement.
    @inline(__always)
    convenience init(row: FloorStatement) {
        self.init(
            id: row.integer(0), firstName: row.text(1), lastName: row.text(2), email: row.text(3),
            age: Int(row.integer(4)), score: row.real(5),
            createdAt: Date(timeIntervalSinceReferenceDate: row.real(6)), active: row.integer(7) != 0,
            nickname: row.optionalText(8), teamId: row.optionalInteger(9))
    }

    /// Binds all values except the id and the team, from the first placeholder on.
    @inline(__always)
    func bind(to insertion: FloorStatement) throws {
        try insertion.bind(firstName, at: 1)
        try insertion.bind(lastName, at: 2)
        try insertion.bind(email, at: 3)
        try insertion.bind(Int64(age), at: 4)
        try insertion.bind(score, at: 5)
        try insertion.bind(createdAt.timeIntervalSinceReferenceDate, at: 6)
        try insertion.bind(active ? 1 : Int64(0), at: 7)
        try insertion.bind(nickname, at: 8)
    }
}
