#if Sync
    import Foundation

    /// A change of one process. Each text and number is used once, so its presence shows whether the change is there.
    enum SyncAction: Codable {
        case insert(sheet: String)
        case delete(sheet: String)
        case star(sheet: String, count: Int)
        case word(sheet: String, String)
        case removeWord(sheet: String, String)
        case number(sheet: String, Int)
        case serial(sheet: String, Int)
        case text(sheet: String, String)
        case remark(sheet: String, String)

        var sheet: String {
            switch self {
            case .insert(let sheet), .delete(let sheet), .star(let sheet, _), .word(let sheet, _),
                .removeWord(let sheet, _), .number(let sheet, _), .serial(let sheet, _), .text(let sheet, _),
                .remark(let sheet, _):
                sheet
            }
        }
    }

    /// What one process did, in a file that a kill does not damage: each action is written before it begins, and its
    /// number after its transaction has returned.
    struct SyncLedger {
        private struct Line: Codable {
            var begun: SyncAction?
            var done: Int?
        }

        let path: String
        private let file: Int32
        private(set) var count: Int

        /// Opens the file to add to it.
        init(_ path: String) throws {
            self.path = path
            count = try SyncLedger.actions(in: path).count
            file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
            try require(file >= 0, "no file \(path)")
        }

        mutating func begin(_ action: SyncAction) throws {
            try append(Line(begun: action))
            count += 1
        }

        func end() throws { try append(Line(done: count - 1)) }

        private func append(_ line: Line) throws {
            let bytes = Array(try JSONEncoder().encode(line)) + [UInt8(ascii: "\n")]
            try require(write(file, bytes, bytes.count) == bytes.count, "the ledger cannot be written")
        }

        /// All actions of a file, and whether each one was acknowledged.
        static func actions(in path: String) throws -> [(action: SyncAction, isDone: Bool)] {
            guard let data = try? Data(contentsOf: URL(filePath: path)) else { return [] }
            var actions: [(action: SyncAction, isDone: Bool)] = []
            for line in data.split(separator: UInt8(ascii: "\n")) {
                let line = try JSONDecoder().decode(Line.self, from: Data(line))
                if let action = line.begun { actions.append((action, false)) }
                if let number = line.done { actions[number].isDone = true }
            }
            return actions
        }
    }
#endif
