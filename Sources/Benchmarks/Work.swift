/// A measured operation that is done by the library and by hand-written code.
///
/// Each side sets up, times a stretch with ``Stopwatch``, and returns a ``Tally`` of its work. The tally must equal
/// ``expected(rows:)``, so that both sides have done the same work and nothing is optimized away.
protocol Work {
    /// The name in the table and for `--only`.
    var name: String { get }
    /// The table that lists it.
    var group: Group { get }
    /// The budget, from the column "ours at most" of the design.
    var budget: Budget { get }
    /// The contents of the file with which a trial starts.
    var fixture: Fixture { get }
    /// The number of objects or calls in the timed stretch.
    func operations(rows: Int) -> Int
    /// The required result of the side; nil if both must have the same result.
    func expected(rows: Int) -> Tally?
    /// Does the work with the library.
    func ours(_ trial: Trial) throws -> Measurement
    /// Does the work with hand-written Swift over the C functions.
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
    /// The works of the design's budget.
    case objects
    /// References to few, to many, and several steps deep.
    case references
    /// Queries, pages, batches, values.
    case reading
    /// Inserts and updates whose index keys come in no order.
    case writing
    /// The cost of live objects to code that does not touch them.
    case live
    /// The cost of commits to queries that watch their rows.
    case watching
    /// Pages of the inspector.
    case inspector
    /// Dictionaries, structures, chains, many classes.
    case shapes
    /// The growth of a cost with the contents of a transaction.
    case growth
    /// Encrypted files and properties next to plain ones; needs the trait Encryption.
    case encryption
    /// Synced classes next to classes that are not synced.
    case sync
    /// Sessions in several threads and processes.
    case sessions
}

/// The contents of a file.
enum Fixture: CaseIterable {
    /// No file.
    case nothing
    case players
    /// Teams with arrays of members.
    case teams
    /// Clubs whose members refer to them.
    case clubs
    /// Objects with arrays of strings.
    case lists
    /// Objects with references, in the library's file for both sides.
    case shop
    /// Objects of unusual shapes, in the library's file for both sides.
    case shapes
    /// Rows of numbers, in the library's file for both sides.
    case numbers
    /// Objects with four references in no order, in the library's file for both sides.
    case flights
    /// Objects with few and with many properties, in the library's file for both sides.
    case widths
    /// Players in the library's file for both sides, if both sides use the library.
    case ownPlayers

    /// The tables that both sides must have in the same form.
    var tables: [String] {
        switch self {
        case .nothing, .shop, .shapes, .numbers, .flights, .widths, .ownPlayers: []
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
    /// Nanoseconds or bytes for all operations, depending on the budget.
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

    /// The median amounts.
    var ours: Double { rounds.map(\.ours).median }
    var floor: Double { rounds.map(\.floor).median }

    /// The library's amount divided by the floor's; nil if the floor takes less than a nanosecond per operation.
    ///
    /// It is the median of the rounds' ratios, because the sides of a round run directly after each other. If the
    /// machine is slow for some seconds, it is slow for both sides of a round.
    var ratio: Double? {
        floor / Double(operations) < 1 ? nil : rounds.map { $0.ours / $0.floor }.median
    }
}

/// The error if a side did not do the required work.
struct WrongResult: Error, CustomStringConvertible {
    let work: String
    let side: Side
    let expected: Tally
    let found: Tally

    var description: String { "\(work), \(side.rawValue): expected \(expected), found \(found)" }
}
