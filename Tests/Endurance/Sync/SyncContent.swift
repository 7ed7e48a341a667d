#if Sync
    import Foundation
    import PersistentObjects
    import PersistentTransfer

    /// What a store shows: its export, without what differs between devices: ids, and the order of rows and of elements of
    /// sets.
    struct SyncContent: Equatable {
        struct FolioContent: Equatable {
            var text = "", serial = 0, stars = 0
            var words: Set<String> = []
            var numbers: [Int] = []
            var remarks: [String] = []
        }

        private(set) var sheets: [String: FolioContent] = [:]

        private struct Line: Decodable {
            let `class`: String
            let key: String
            var title, text, sheet: String?
            var serial, stars: Int?
            var words: Set<String>?
            var numbers: [Int]?

            enum CodingKeys: String, CodingKey {
                case `class` = "$class"
                case key, title, text, sheet, serial, stars, words, numbers
            }
        }

        init(of store: Store, _ file: URL) throws {
            try store.export([Folio.self, Remark.self], to: file)
            let lines = try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map {
                try JSONDecoder().decode(Line.self, from: Data($0))
            }
            var titles: [String: String] = [:]
            for line in lines where line.class == "Folio" {
                let title = try found(line.title, "a sheet has no title")
                try require(sheets[title] == nil, "two sheets have the title \(title)")
                titles[line.key] = title
                sheets[title] = FolioContent(
                    text: line.text ?? "", serial: line.serial ?? 0, stars: line.stars ?? 0, words: line.words ?? [],
                    numbers: line.numbers ?? [])
            }
            for line in lines where line.class == "Remark" {
                let title = try found(line.sheet.flatMap { titles[$0] }, "a remark has no sheet")
                sheets[title]?.remarks.append(line.text ?? "")
            }
            for title in sheets.keys { sheets[title]?.remarks.sort() }
        }

        /// Describes the first sheet that differs.
        func difference(from other: SyncContent) -> String? {
            for title in Set(sheets.keys).union(other.sheets.keys).sorted() where sheets[title] != other.sheets[title] {
                func text(_ content: FolioContent?) -> String { content.map { "\($0)" } ?? "nothing" }
                return "\(title) is \(text(sheets[title])), and \(text(other.sheets[title]))"
            }
            return nil
        }

        /// Throws if a change that was acknowledged is not there, or is there twice. A change that a kill cut off may be
        /// there.
        func check(_ actions: [(action: SyncAction, isDone: Bool)]) throws {
            let deletions = actions.compactMap { action, isDone -> (String, Bool)? in
                if case .delete(let sheet) = action { (sheet, isDone) } else { nil }
            }
            let deleted = Set(deletions.filter(\.1).map(\.0))
            let inDoubt = Set(deletions.map(\.0))
            var stars: [String: ClosedRange<Int>] = [:]
            var serials: [String: ClosedRange<Int>] = [:]
            for (action, isDone) in actions {
                let title = action.sheet
                guard let sheet = sheets[title] else {
                    try require(!isDone || inDoubt.contains(title), "lost: \(action), its sheet is not there")
                    continue
                }
                try require(!deleted.contains(title), "lost: the deletion of \(title)")
                func isThere(_ isThere: Bool) throws { try require(isThere || !isDone, "lost: \(action)") }
                switch action {
                case .insert, .delete, .text: break
                case .star(_, let count):
                    let range = stars[title] ?? 0...0
                    stars[title] = range.lowerBound + (isDone ? count : 0)...range.upperBound + count
                case .serial(_, let serial):
                    serials[title] = (isDone ? serial : serials[title]?.lowerBound ?? 0)...serial
                case .word(_, let word) where word.hasPrefix("removed"): break
                case .word(_, let word): try isThere(sheet.words.contains(word))
                case .removeWord(_, let word): try isThere(!sheet.words.contains(word))
                case .number(_, let number):
                    try isThere(sheet.numbers.contains(number))
                    try require(sheet.numbers.count { $0 == number } < 2, "twice: \(action)")
                case .remark(_, let text):
                    try isThere(sheet.remarks.contains(text))
                    try require(sheet.remarks.count { $0 == text } < 2, "twice: \(action)")
                }
            }
            for (title, sheet) in sheets {
                try require((stars[title] ?? 0...0).contains(sheet.stars), "\(title) has \(sheet.stars) stars")
                try require((serials[title] ?? 0...0).contains(sheet.serial), "\(title) has serial \(sheet.serial)")
            }
        }
    }
#endif
