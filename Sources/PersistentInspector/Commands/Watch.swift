internal import Foundation
internal import PersistentObjects
internal import StoreEngine

/// The objects that change in a store. A file is opened only to read its state, so other programs can do anything with
/// it in between.
enum Watch {
    static func run(_ call: CommandCall) throws -> Bool {
        let seconds = try call.arguments.number("--seconds", in: 1...1_000_000)
        let end = seconds.map { Date().addingTimeInterval(Double($0)) }
        var signature = CommitSignature(call.path)
        var state = try WatchedState(InspectedFile(call.path, isLimited: false))
        try call.write("Watching \(Bounds.grouped(state.tables.count)) classes. Press Control-C to stop")
        while end.map({ Date() < $0 }) ?? true {
            // Nothing reports commits to a file without its classes, and the command does nothing else.
            Thread.sleep(forTimeInterval: signature.interval)
            guard try signature.isChanged() else { continue }
            let next = try WatchedState(InspectedFile(call.path, isLimited: false))
            let time = ValueText.date(Date().timeIntervalSinceReferenceDate.rounded(.down)) ?? ""
            for line in next.changes(since: state) { try call.write("\(time) \(line)") }
            state = next
        }
        return false
    }
}

/// The objects of a store at one time: hashes of their values, or their number if there are many.
struct WatchedState {
    enum Table: Equatable {
        case objects([Int64: Int])
        case count(Int)
    }

    private(set) var tables: [String: Table] = [:]

    init(_ file: InspectedFile) throws {
        for aClass in file.sortedClasses where file.classNames(of: aClass).isEmpty {
            let count = try file.count(of: aClass)
            if file.isOnServer {
                // Counting the rows of a large table would read all of them.
                tables[aClass.name] =
                    count > Bounds.count ? .count(count) : .objects(try WatchedState.versions(of: aClass, in: file))
                continue
            }
            guard count <= Bounds.count else {
                let exact = try file.rows("SELECT count(*) FROM \(name: aClass.table)").rows.first?[0].integer
                tables[aClass.name] = .count(Int(exact ?? 0))
                continue
            }
            var objects: [Int64: Int] = [:]
            let compared = try ComparedRows(aClass, in: file)
            try file.withStatement(compared.sql) { statement in
                while try statement.step() {
                    let row = compared.row(statement)
                    objects[row.id] = row.values.hashValue
                }
            }
            tables[aClass.name] = .objects(objects)
        }
    }

    /// Hashes of the transactions that last wrote the rows of a class and of its collections on a server.
    ///
    /// Rows that replace earlier rows belong to later transactions, so their number or the sum of the transactions differs.
    private static func versions(of aClass: ClassDescription, in file: InspectedFile) throws -> [Int64: Int] {
        var objects: [Int64: Hasher] = [:]
        let tables = ComparedRows.properties(of: aClass, in: file).filter(\.kind.isCollection).map { property in
            ("owner_id", "\(aClass.table)_\(property.storage)")
        }
        for (id, table) in [("id", aClass.table)] + tables {
            let sql: SQL = """
                SELECT \(name: id), count(*), sum(xmin::text::bigint)::bigint FROM \(name: table) GROUP BY 1
                """
            for row in try file.rows(sql, limit: .max).rows {
                guard let id = row[0].integer else { continue }
                objects[id, default: Hasher()].combine([table.hashValue] + row[1...].map(\.hashValue))
            }
        }
        return objects.mapValues { $0.finalize() }
    }

    /// A line for each class that changed: `Person: 1 added (#4), 2 changed (#1, #2)`.
    func changes(since old: WatchedState) -> [String] {
        tables.keys.sorted().compactMap { name in
            guard let now = tables[name], old.tables[name] != now else { return nil }
            guard case .objects(let new) = now, case .objects(let former)? = old.tables[name] else {
                if case .count(let count) = now { return "\(name): \(Bounds.grouped(count)) objects" }
                return "\(name): a new class"
            }
            let added = new.keys.filter { former[$0] == nil }
            let deleted = former.keys.filter { new[$0] == nil }
            let changed = new.keys.filter { id in former[id].map { $0 != new[id] } ?? false }
            let parts = [("added", added), ("changed", changed), ("deleted", deleted)].filter { !$1.isEmpty }
            return "\(name): " + parts.map { "\(WatchedState.text($1.sorted(), $0))" }.joined(separator: ", ")
        }
    }

    private static func text(_ ids: [Int64], _ verb: String) -> String {
        let shown = ids.prefix(10).map { "#\($0)" }.joined(separator: ", ")
        return "\(Bounds.grouped(ids.count)) \(verb) (\(shown)\(ids.count > 10 ? ", …" : ""))"
    }
}
