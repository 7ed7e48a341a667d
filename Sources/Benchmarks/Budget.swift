import Foundation

/// The budget of a work, from the last column of the table in section 10 of the design.
enum Budget {
    /// A multiple of the hand-written side's time.
    case ratio(Double)
    /// A multiple of the hand-written side's time, and milliseconds for each operation.
    case ratioAnd(Double, milliseconds: Double)
    /// Nanoseconds for each operation.
    case nanosecondsEach(Double)
    /// Milliseconds for 100,000 operations.
    case millisecondsFor100k(Double)
    /// Bytes for each object.
    case bytesEach(Double)
    /// A multiple of the hand-written side's bytes.
    case bytesRatio(Double)

    /// Whether the amounts are bytes, not nanoseconds.
    var measuresBytes: Bool {
        switch self {
        case .bytesEach, .bytesRatio: true
        case .ratio, .ratioAnd, .nanosecondsEach, .millisecondsFor100k: false
        }
    }

    /// Whether the budget is a ratio, so that the row counts in the mean.
    var isRatio: Bool {
        if case .ratio = self { true } else { false }
    }

    /// Whether a result is within the budget.
    func allows(_ result: WorkResult) -> Bool {
        let each = result.ours / Double(result.operations)
        return switch self {
        case .ratio(let most), .bytesRatio(let most): (result.ratio ?? 0) <= most
        case .ratioAnd(let most, let time):
            result.ours <= most * result.floor + time * 1e6 * Double(result.operations)
        case .nanosecondsEach(let most), .bytesEach(let most): each <= most
        case .millisecondsFor100k(let most): each * 100_000 / 1e6 <= most
        }
    }
}

extension Budget: CustomStringConvertible {
    var description: String {
        switch self {
        case .ratio(let most), .bytesRatio(let most): String(format: "%.2f", most)
        case .ratioAnd(let most, let time): String(format: "%.2f + %.0f ms", most, time)
        case .nanosecondsEach(let most): String(format: "%.0f ns", most)
        case .millisecondsFor100k(let most): String(format: "%.0f ms/100k", most)
        case .bytesEach(let most): String(format: "%.0f B", most)
        }
    }
}
