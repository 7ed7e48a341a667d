import PersistentObjects

/// The options on the command line, after the name of the run.
struct Options {
    var rounds: Int?
    var seconds: Double?
    var seed: UInt64 = 1
    /// The number of the first round. With it, a failed round can be replayed.
    var first = 0
    /// The journal of all files, for runs that choose one for each file.
    var journal: JournalMode?

    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    init(_ arguments: some Sequence<String>) throws {
        var iterator = arguments.makeIterator()
        while let name = iterator.next() {
            guard let text = iterator.next() else { throw Problem(description: "\(name) needs a value") }
            switch name {
            case "--rounds": rounds = try number(text)
            case "--seconds": seconds = try number(text)
            case "--seed": seed = try number(text)
            case "--first": first = try number(text)
            case "--journal":
                journal = JournalMode(rawValue: text)
                guard journal != nil else { throw Problem(description: "\(text) is not wal or rollback") }
            default: throw Problem(description: "unknown option \(name)")
            }
        }
    }

    private func number<N: LosslessStringConvertible>(_ text: String) throws -> N {
        guard let number = N(text) else { throw Problem(description: "\(text) is no number") }
        return number
    }
}
