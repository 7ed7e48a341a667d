/// One thing that is measured, done twice: by the library, and by hand.
///
/// Each side sets up, times one stretch with ``Stopwatch``, and returns what
/// it did as a ``Tally``, which must equal ``expected(rows:)``: so both are
/// known to have done the same work, and nothing is optimised away.
protocol Work {
    /// The name in the table and for `--only`.
    var name: String { get }
    /// The table that lists it.
    var group: Group { get }
    /// The "ours at most" of the design.
    var budget: Budget { get }
    /// The contents of the file with which a trial starts.
    var fixture: Fixture { get }
    /// The number of objects or calls in the timed stretch.
    func operations(rows: Int) -> Int
    /// The required result of the side; nil if both must have the same result.
    func expected(rows: Int) -> Tally?
    /// With the library.
    func ours(_ trial: Trial) throws -> Measurement
    /// With hand-written Swift over the C functions.
    func floor(_ trial: Trial) throws -> Measurement
}

extension Work {
    var group: Group { .objects }
    var fixture: Fixture { .players }
    func operations(rows: Int) -> Int { rows }
    func expected(rows: Int) -> Tally? { Tally(of: PlayerData.numbers(rows)) }
}

/// The tables that are printed.
enum Group: String, CaseIterable {
    /// Those of the design's budget.
    case objects
    /// References to few, to many, and several steps deep.
    case references
    /// Queries, pages, batches, values.
    case reading
    /// Inserts and updates whose index keys come in no order.
    case writing
    /// The cost of live objects to code that does not touch them.
    case live
    /// Dictionaries, structures, chains, many classes.
    case shapes
    /// The growth of a cost with the contents of a transaction.
    case growth
    /// Sessions in several threads and processes.
    case sessions
}

/// The contents of a file.
enum Fixture: CaseIterable {
    /// There is no file.
    case nothing
    case players
    /// Teams with arrays of members.
    case teams
    /// Clubs whose members refer to them.
    case clubs
    /// Objects with arrays of texts.
    case lists
    /// Objects with references; our own file, for both sides.
    case shop
    /// Objects of odd shapes; our own file, for both sides.
    case shapes
    /// The players in our own file, for both sides: where each is the library.
    case ownPlayers

    /// The tables that must be alike.
    var tables: [String] {
        switch self {
        case .nothing, .shop, .shapes, .ownPlayers: []
        case .players: ["player"]
        case .teams: ["team", "member", "team_members"]
        case .clubs: ["club", "club_member"]
        case .lists: ["text_list", "text_list_texts"]
        }
    }
}

/// The implementation that does the work.
enum Side: String, CaseIterable {
    case ours, floor
}

/// The result of one side of one round.
struct Measurement {
    /// Nanoseconds or bytes, over all operations; the budget tells which.
    let amount: Double
    /// The tally of the work.
    let tally: Tally
}

/// The outcome of a work over all rounds.
struct WorkResult {
    let name: String
    let group: Group
    let budget: Budget
    let operations: Int
    /// The times of both sides, round by round.
    let rounds: [(ours: Double, floor: Double)]
    /// The number of statements of each side; nil if they run in another process.
    let statements: (ours: Int, floor: Int)?

    /// Median amounts.
    var ours: Double { rounds.map(\.ours).median }
    var floor: Double { rounds.map(\.floor).median }

    /// Ours over the floor's, or nil where the floor is next to nothing (under
    /// a nanosecond each) and a ratio would say nothing.
    ///
    /// The median of the rounds' own ratios: the sides of a round run one right
    /// after the other, so a machine that is slow for some seconds is slow for
    /// both, which it need not be for the medians of all rounds.
    var ratio: Double? {
        floor / Double(operations) < 1 ? nil : rounds.map { $0.ours / $0.floor }.median
    }
}

/// A side did not do what the work asks for.
struct WrongResult: Error, CustomStringConvertible {
    let work: String
    let side: Side
    let expected: Tally
    let found: Tally

    var description: String { "\(work), \(side.rawValue): expected \(expected), found \(found)" }
}
