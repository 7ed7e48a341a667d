internal import Foundation
internal import PersistentObjects
internal import StoreEngine

/// The classes and objects in which two stores differ. Objects are compared by their keys if the class has keys, and by
/// their ids otherwise.
final class FileDifference {
    private let old: InspectedFile
    private let new: InspectedFile
    private let className: String?
    private var count = 0

    init(_ old: String, _ new: String, className: String?) throws {
        // Both files are read as a whole, so there is no time limit.
        self.old = try InspectedFile(old, isLimited: false)
        // Two connections could exclude each other.
        let isSame =
            !self.old.isOnServer
            && URL(filePath: old).resolvingSymlinksInPath() == URL(filePath: new).resolvingSymlinksInPath()
        self.new = isSame ? self.old : try InspectedFile(new, isLimited: false)
        self.className = className
        // Other programs write to a server meanwhile, so all classes are read in one state.
        for file in [self.old, self.new] where file.isOnServer { try file.connection.beginReading() }
    }

    /// Writes the differences, and returns whether there are any.
    func run(_ write: (String) throws -> Void) throws -> Bool {
        for file in [old, new] where file.origin != .store { throw InspectorError(file.noDescription) }
        var names = Set(old.classes.descriptions.keys).union(new.classes.descriptions.keys)
        if let className {
            guard names.contains(className) else { throw InspectorError("Neither file has a class \(className).") }
            names = [className]
        }
        for name in names.sorted() {
            switch (old.classes.descriptions[name], new.classes.descriptions[name]) {
            case (let first?, let second?): try compare(first, second, write)
            case (_?, nil):
                count += 1
                try write("- class \(name)")
            case (nil, _):
                count += 1
                try write("+ class \(name)")
            }
        }
        if count == 0 { try write("No differences") }
        return count > 0
    }

    private func compare(_ first: ClassDescription, _ second: ClassDescription, _ write: (String) throws -> Void) throws
    {
        func signature(_ property: PropertyDescription) -> String { "\(property.name): \(property.spelledType)" }
        let (before, after) = (first.properties.map(signature), second.properties.map(signature))
        for line in before where !after.contains(line) {
            count += 1
            try write("- property \(first.name).\(line)")
        }
        for line in after where !before.contains(line) {
            count += 1
            try write("+ property \(first.name).\(line)")
        }
        // The rows of a subclass are compared together with those of its superclass.
        guard first.hasKey == second.hasKey, className != nil || old.classNames(of: first).isEmpty else { return }
        let shared = Set(ComparedRows.properties(of: first, in: old).map(\.name))
            .intersection(ComparedRows.properties(of: second, in: new).map(\.name))
        let rows = try ComparedRows(first, in: old, shared: shared)
        // The values of the second file are in the order of the first file's properties.
        let order = Dictionary(rows.names.enumerated().map { ($1, $0) }) { first, _ in first }
        let others = try ComparedRows(second, in: new, shared: shared)
        let places = others.names.map { order[$0] ?? 0 }
        var found = 0
        func report(_ line: String) throws {
            found += 1
            if found <= Bounds.rows { try write(line) }
        }
        try old.withStatement(rows.sql) { oldRows in
            try new.withStatement(others.sql) { newRows in
                func nextOld() throws -> ComparedRows.Row? { try oldRows.step() ? rows.row(oldRows) : nil }
                func nextNew() throws -> ComparedRows.Row? {
                    guard try newRows.step() else { return nil }
                    let row = others.row(newRows)
                    var values = row.values
                    for (index, place) in places.enumerated() { values[place] = row.values[index] }
                    return ComparedRows.Row(key: row.key, id: row.id, className: row.className, values: values)
                }
                var (a, b) = (try nextOld(), try nextNew())
                while a != nil || b != nil {
                    if let first = a, b.map({ first.key.precedes($0.key) }) ?? true {
                        try report("- \(name(first))")
                        a = try nextOld()
                    } else if let second = b, a.map({ second.key.precedes($0.key) }) ?? true {
                        try report("+ \(name(second))")
                        b = try nextNew()
                    } else if let first = a, let second = b {
                        let changes = rows.changes(first, second)
                        if !changes.isEmpty {
                            try report("~ \(name(first)) \(changes.joined(separator: ", "))")
                        }
                        (a, b) = (try nextOld(), try nextNew())
                    }
                }
            }
        }
        if found > Bounds.rows {
            try write("… \(Bounds.grouped(found - Bounds.rows)) more differences of \(first.name)")
        }
        count += found

        func name(_ row: ComparedRows.Row) -> String {
            guard first.hasKey else { return "\(row.className) #\(row.id)" }
            return "\(row.className) \(ValueText.cell(row.key, type: first.identity == "uuid" ? "UUID" : nil))"
        }
    }
}
