import Foundation
import PersistentObjects

/// A list as an array. The other forms are a text, the objects of an inverse, and a text that SQL changes.
final class Row: PersistentObject {
    @Unique var number = 0
    var values: [Int] = []
}

final class Sheet: PersistentObject {
    @Unique var number = 0
    var text = ""
}

final class Shelf: PersistentObject {
    @Unique var number = 0
    @Inverse(\Leaf.shelf) var leaves: [Leaf]
}

final class Leaf: PersistentObject {
    var value = 0
    weak var shelf: Shelf?
}

/// The form of a list, which follows from its number.
enum ListForm: Int, CaseIterable {
    case array, text, objects, sql

    init(_ list: Int) { self = ListForm.allCases[list % ListForm.allCases.count] }
}

/// Finds, reads and extends lists in the current session.
struct Lists {
    /// The objects that this session keeps between operations, by the number of their list.
    private var held: [Int: PersistentObject] = [:]

    static func make(_ lists: Range<Int>) -> [PersistentObject] {
        lists.map { list in
            switch ListForm(list) {
            case .array:
                let row = Row()
                row.number = list
                return row
            case .objects:
                let shelf = Shelf()
                shelf.number = list
                return shelf
            case .text, .sql:
                let sheet = Sheet()
                sheet.number = list
                return sheet
            }
        }
    }

    mutating func hold(_ object: PersistentObject, as list: Int) { held[list] = object }

    func holds(_ list: Int) -> Bool { held[list] != nil }

    mutating func forget() { held = [:] }

    private func row(_ list: Int) throws -> Row {
        try found(try Row.where { $0.number == list }.first(), "list \(list) is gone")
    }

    /// A finder by a unique property reads the file only if the session knows of other sessions' writes. In a
    /// transaction and in a reading, it always knows of them.
    private func sheet(_ list: Int, inOneState: Bool) throws -> Sheet {
        try found(
            inOneState ? try Sheet.findFirstBy.number(list) : try Sheet.where { $0.number == list }.first(),
            "list \(list) is gone")
    }

    private func shelf(_ list: Int) throws -> Shelf {
        try found(try Shelf.where { $0.number == list }.first(), "list \(list) is gone")
    }

    private static func values(_ text: String) -> [Int] { text.split(separator: ",").compactMap { Int($0) } }

    /// Reads a list by one of several methods. Outside a transaction, each method is one query.
    mutating func read(_ list: Int, _ random: inout Randomness, inOneState: Bool) throws -> [Int] {
        let way = random.below(3), isHolding = random.chance(0.5)
        let object: PersistentObject
        let values: [Int]
        switch ListForm(list) {
        case .array:
            let row =
                way == 0 ? try found(try Row.findBy.number(in: [list]).first, "list \(list) is gone") : try row(list)
            (object, values) = (row, row.values)
        case .text, .sql:
            if way == 0 {
                return try Sheet.where { $0.number == list }.values(\.text).flatMap(Lists.values)
            }
            let sheet = try sheet(list, inOneState: inOneState)
            (object, values) = (sheet, Lists.values(sheet.text))
        case .objects:
            if way == 0 {
                return try Leaf.where { $0.shelf.number == list }.order(by: \.id).all().map(\.value)
            }
            let shelf = try shelf(list)
            (object, values) = (shelf, try shelf.$leaves.load().map(\.value))
        }
        if isHolding { held[list] = object }
        return values
    }

    /// Appends a value to the list in the file and saves it. Must run in a transaction.
    func append(_ value: Int, to list: Int) throws {
        switch ListForm(list) {
        case .array:
            let row = try row(list)
            row.values.append(value)
            try save(row)
        case .text:
            let sheet = try sheet(list, inOneState: true)
            sheet.text += "\(value),"
            try save(sheet)
        case .objects:
            let leaf = Leaf()
            let shelf = try shelf(list)
            (leaf.value, leaf.shelf) = (value, shelf)
            try withExtendedLifetime(shelf) { try leaf.save() }
        case .sql:
            try Store.execute("UPDATE sheet SET text = text || ? WHERE number = ?", "\(value),", list)
        }
    }

    /// Appends a value to a list that is in memory, possibly for a long time, by one save.
    ///
    /// - Returns: The list before the change, or nil if the save does not compare the list with the file.
    mutating func appendToHeld(_ value: Int, to list: Int) throws -> [Int]? {
        switch ListForm(list) {
        case .array:
            let row = try held[list] as? Row ?? row(list)
            let before = row.values
            row.values.append(value)
            try save(row)
            return before
        case .text:
            let sheet = try held[list] as? Sheet ?? sheet(list, inOneState: false)
            let before = Lists.values(sheet.text)
            sheet.text += "\(value),"
            try save(sheet)
            return before
        case .objects:
            let leaf = Leaf()
            let shelf = try held[list] as? Shelf ?? shelf(list)
            (leaf.value, leaf.shelf) = (value, shelf)
            try withExtendedLifetime(shelf) { try leaf.save() }
            return nil
        case .sql:
            try append(value, to: list)
            return nil
        }
    }

    /// Saves an object, and reverts it if the save fails. Otherwise, a later save would write the edit. A transaction
    /// that fails before the save does not revert the edit, because it has not changed the object.
    private func save(_ object: some Persistent) throws {
        do { try object.save() } catch {
            object.revert()
            throw error
        }
    }

    /// All lists in the file, by number.
    static func all() throws -> [Int: [Int]] {
        var lists: [Int: [Int]] = [:]
        for row in try Row.all() { lists[row.number] = row.values }
        for sheet in try Sheet.all() { lists[sheet.number] = values(sheet.text) }
        for shelf in try Shelf.all() { lists[shelf.number] = try shelf.$leaves.load().map(\.value) }
        return lists
    }
}
