/// The common properties of both sides' objects, and of the data from which they are created.
protocol PlayerValues {
    var firstName: String { get }
    var lastName: String { get }
    var email: String { get }
    var age: Int { get }
    var score: Double { get }
    var active: Bool { get }
    var nickname: String? { get }
    var teamId: Int? { get }
}

extension PlayerData: PlayerValues {}
extension Player: PlayerValues {}
extension FloorPlayer: PlayerValues {}

/// Counts and sums over players. If the tallies of both sides are equal, they have done the same work.
///
/// `createdAt` is left out, because the store sets it if it is unset.
struct Tally: Equatable {
    var count = 0
    var ages = 0
    var scores = 0.0
    var textBytes = 0
    var active = 0
    var nicknames = 0
    var teams = 0
    /// A sum over the strings of lists that depends on their order.
    var places = 0

    /// Creates an empty tally.
    init() {}

    /// The complete tally of these players.
    init(of players: some Sequence<some PlayerValues>) {
        for player in players {
            touch(player)
            scores += player.score
            textBytes += player.firstName.utf8.count + player.lastName.utf8.count + player.email.utf8.count
            active += player.active ? 1 : 0
            if let nickname = player.nickname {
                nicknames += 1
                textBytes += nickname.utf8.count
            }
            teams += player.teamId ?? 0
        }
    }

    /// The counts and ages of these players.
    init(touching players: some Sequence<some PlayerValues>) {
        for player in players { touch(player) }
    }

    /// Counts a player and adds its age, which is cheap enough to be timed.
    @inline(__always)
    mutating func touch(_ player: some PlayerValues) {
        count &+= 1
        ages &+= player.age
    }
}

/// The common properties of both sides' teams.
protocol TeamValues {
    associatedtype Member: PlayerValues
    var number: Int { get }
    var members: [Member] { get }
}

/// The common properties of both sides' lists.
protocol ListValues {
    var texts: [String] { get }
}

extension Tally {
    /// Counts all players of a team.
    @inline(__always)
    mutating func touch(_ team: some TeamValues) {
        for member in team.members {
            touch(member)
            teams &+= team.number
        }
    }

    /// The complete tally of these teams.
    init(of teams: some Sequence<some TeamValues>) {
        self.init()
        for team in teams {
            var members = Tally(of: team.members)
            members.teams = team.number * members.count
            add(members)
        }
    }

    private mutating func add(_ other: Tally) {
        count += other.count
        ages += other.ages
        scores += other.scores
        textBytes += other.textBytes
        active += other.active
        nicknames += other.nicknames
        teams += other.teams
    }

    /// The complete tally of these lists.
    init(of lists: some Sequence<some ListValues>) {
        self.init()
        for list in lists {
            count += 1
            for (index, text) in list.texts.enumerated() {
                textBytes += text.utf8.count
                places += text.utf8.count * ListData.position(index)
            }
        }
    }
}
