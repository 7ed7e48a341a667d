import Foundation

/// The printed report.
enum Report {
    /// An aligned table, printed line by line as the works end.
    struct Table {
        private let nameWidth: Int
        private let columns = ["ours ms", "floor ms", "ours each", "floor each", "at most", "ratio", "statements"]

        /// - Parameter names: The works, the longest of which determines the width of the first column.
        init(names: [String]) {
            nameWidth = (names.map(\.count) + [meanName.count]).max() ?? 0
        }

        private let meanName = "geometric mean of the ratios"

        /// The line with the names of the columns.
        var heading: String { line("work", columns) }

        /// The line for a work. A `!` next to the budget means that it is exceeded.
        func line(for result: WorkResult) -> String {
            let inBytes = result.budget.measuresBytes
            let count = Double(result.operations)
            return line(
                result.name,
                [
                    inBytes ? "-" : String(format: "%.2f", result.ours / 1e6),
                    inBytes ? "-" : String(format: "%.2f", result.floor / 1e6),
                    Self.each(result.ours / count, inBytes: inBytes),
                    Self.each(result.floor / count, inBytes: inBytes),
                    (result.budget.allows(result) ? "" : "! ") + result.budget.description,
                    result.ratio.map { String(format: "%.2f", $0) } ?? "n/a",
                    result.statements.map { "\($0.ours)/\($0.floor)" } ?? "-",
                ])
        }

        /// The line with the geometric mean of the works whose budget is a ratio; nil if there are fewer than two.
        func geometricMean(of results: [WorkResult]) -> String? {
            let ratios = results.filter(\.budget.isRatio).compactMap(\.ratio)
            guard ratios.count > 1 else { return nil }
            let mean = exp(ratios.map { log($0) }.reduce(0, +) / Double(ratios.count))
            return line(meanName, ["", "", "", "", "", String(format: "%.2f", mean), ""])
        }

        private func line(_ name: String, _ cells: [String]) -> String {
            let padded = cells.map { String(repeating: " ", count: max(1, 12 - $0.count)) + $0 }
            return name.padding(toLength: nameWidth, withPad: " ", startingAt: 0) + padded.joined()
        }

        private static func each(_ amount: Double, inBytes: Bool) -> String {
            String(format: amount < 10 ? "%.1f" : "%.0f", amount) + (inBytes ? " B" : " ns")
        }
    }

    /// A list of `{"work", "ours_ms", "floor_ms", "ratio"}`, with one work per line.
    ///
    /// Each work also has "group", "rows", "operations" (all of which take the milliseconds), "ours_statements" and
    /// "floor_statements".
    ///
    /// The ratio is null if it would be meaningless. For memory, the milliseconds are null, and "ours_bytes" and
    /// "floor_bytes" have the bytes of each object.
    static func json(_ results: [WorkResult], rows: Int) -> String {
        "[\n" + results.map { "  " + line($0, rows) }.joined(separator: ",\n") + "\n]"
    }

    private static func line(_ result: WorkResult, _ rows: Int) -> String {
        let inBytes = result.budget.measuresBytes
        let count = Double(result.operations)
        var members = [
            ("work", "\"\(result.name)\""),
            ("group", "\"\(result.group.rawValue)\""),
            ("rows", "\(rows)"),
            ("ours_ms", number(inBytes ? nil : result.ours / 1e6)),
            ("floor_ms", number(inBytes ? nil : result.floor / 1e6)),
            ("ratio", number(result.ratio)),
            ("operations", "\(result.operations)"),
            ("ours_statements", result.statements.map { "\($0.ours)" } ?? "null"),
            ("floor_statements", result.statements.map { "\($0.floor)" } ?? "null"),
        ]
        if inBytes {
            members.append(("ours_bytes", number(result.ours / count)))
            members.append(("floor_bytes", number(result.floor / count)))
        }
        return "{" + members.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + "}"
    }

    private static func number(_ value: Double?) -> String {
        value.map { String(format: "%.4f", $0) } ?? "null"
    }
}
