// Histories as text, with a line before and after each operation, so that the lines of a killed process remain.
//
//     > 7 1200 transaction r3 a3:15 ( a4:16 !
//     + 7 1350 r3:11,12 a3:15 ( a4:16 !
extension History {
    /// The line before an operation.
    public static func line(before operation: Operation) -> String {
        let kind =
            switch operation.kind {
            case .steps: operation.name
            case .undo(let id): "undo:\(id)"
            }
        return "> \(operation.id) \(operation.began) \(kind)\(text(operation.steps))\n"
    }

    /// The line after an operation.
    public static func line(behind operation: Operation) -> String {
        "\(operation.outcome.rawValue) \(operation.id) \(operation.ended)\(text(operation.steps))\n"
    }

    /// The line with a final list.
    public static func line(list: Int, _ values: [Int]) -> String { "= \(list) \(joined(values))\n" }

    public struct Unreadable: Error, CustomStringConvertible {
        public let description: String
    }

    /// Reads the histories of several processes, and the final lists.
    ///
    /// - Throws: `Unreadable` for an invalid line. An incomplete last line of a killed process is ignored, because its
    ///   operation was never acknowledged.
    public init(_ texts: [String]) throws {
        self.init([], lists: [:])
        for text in texts {
            var open: [Int: Operation] = [:]
            let whole = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            for line in whole {
                do { try add(line.split(separator: " "), to: &open) } catch is Unreadable {
                    throw Unreadable(description: "no line of a history: \(line)")
                }
            }
            operations += open.values
        }
        operations.sort { ($0.began, $0.id) < ($1.began, $1.id) }
    }

    private mutating func add(_ words: [Substring], to open: inout [Int: Operation]) throws {
        guard words.count >= 2, let id = Int(words[1]) else { throw Unreadable(description: "") }
        if words[0] == "=" {
            lists[id] = try words.count == 2 ? [] : History.numbers(words[2])
            return
        }
        guard words.count >= 3, let time = Int(words[2]) else { throw Unreadable(description: "") }
        if words[0] == ">" {
            guard words.count >= 4, open[id] == nil else { throw Unreadable(description: "") }
            var kind = Kind.steps
            if words[3].hasPrefix("undo:") {
                guard let other = Int(words[3].dropFirst(5)) else { throw Unreadable(description: "") }
                kind = .undo(of: other)
            }
            var operation = Operation(id, try words.dropFirst(4).map(History.step), .unknown, kind: kind, from: time)
            if kind == .steps { operation.name = String(words[3]) }
            open[id] = operation
        } else {
            guard words[0].count == 1, let outcome = Outcome(rawValue: words[0].first ?? " "),
                var operation = open.removeValue(forKey: id)
            else { throw Unreadable(description: "") }
            operation.steps = try words.dropFirst(3).map(History.step)
            (operation.outcome, operation.ended) = (outcome, outcome == .unknown ? .max : time)
            operations.append(operation)
        }
    }

    private static func text(_ steps: [Step]) -> String {
        steps.map { step in
            switch step {
            case .read(let list, let values): " r\(list):\(joined(values))"
            case .append(let list, let value): " a\(list):\(value)"
            case .begin: " ("
            case .commit: " )"
            case .rollback: " !"
            }
        }.joined()
    }

    private static func joined(_ values: [Int]) -> String { values.map(String.init).joined(separator: ",") }

    private static func step(_ word: Substring) throws -> Step {
        switch word {
        case "(": return .begin
        case ")": return .commit
        case "!": return .rollback
        default:
            let parts = word.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, let list = Int(parts[0]) else { throw Unreadable(description: "") }
            if word.hasPrefix("r") { return .read(list: list, try numbers(parts[1])) }
            guard word.hasPrefix("a"), let value = Int(parts[1]) else { throw Unreadable(description: "") }
            return .append(list: list, value: value)
        }
    }

    private static func numbers(_ text: Substring) throws -> [Int] {
        try text.split(separator: ",").map { part in
            guard let number = Int(part) else { throw Unreadable(description: "") }
            return number
        }
    }
}
