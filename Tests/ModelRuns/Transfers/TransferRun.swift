import Foundation
import PersistentObjects
import PersistentTransfer

/// Random graphs that are exported in each format and imported into other stores, where each bit must be the same.
public final class TransferRun {
    public struct Figures: Codable, Sendable {
        public var graphs = 0
        public var objects = 0
        /// Files that were exported and imported again.
        public var files = 0
        /// The defects, each with its seed.
        public var findings: [String] = []

        public init() {}

        public mutating func add(_ other: Figures) {
            graphs += other.graphs
            objects += other.objects
            files += other.files
            findings += other.findings
        }
    }

    public private(set) var figures = Figures()
    private let folder: URL

    /// Creates a run with files in a new folder, in memory if the system supports that.
    public init() throws {
        let root = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : FileManager.default.temporaryDirectory.path
        folder = URL(filePath: root).appending(path: "transfers-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let store = try Store(prepared.path)
        try store.prepare(TransferGraph.classes + TransferGraph.subclasses)
        store.close()
    }

    /// A store with the tables of all classes and no rows. Creating them takes longer than a graph.
    private var prepared: URL { folder.appending(path: "prepared.sqlite") }

    /// Runs code with a new store.
    private func withNewStore<Result>(_ body: (Store) throws -> Result) throws -> Result {
        let file = folder.appending(path: "\(UUID()).sqlite")
        try FileManager.default.copyItem(at: prepared, to: file)
        let store = try Store(file.path, configuration: .init(durability: .relaxed, lostEdits: .ignore))
        defer {
            store.close()
            try? FileManager.default.removeItem(at: file)
        }
        return try body(store)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Runs the graph of a seed.
    public func run(seed: UInt64) throws {
        figures.graphs += 1
        func attempt(_ name: String, _ body: () throws -> String?) {
            do {
                if let text = try body() { figures.findings.append("\(seed), \(name): \(text)") }
            } catch { figures.findings.append("\(seed), \(name): \(error)") }
        }
        try withNewStore { store in try run(seed, in: store, attempt) }
    }

    private func run(
        _ seed: UInt64, in store: Store, _ attempt: (_ name: String, _ body: () throws -> String?) -> Void
    ) throws {
        try store.withSession { session in
            var graph = TransferGraph(ModelRandom(seed: seed))
            try graph.save(in: session)
        }
        // The expected values are read from the file, because SQLite does not store the sign of zero.
        let wanted = try store.withSession { _ in try TransferContent.read() }
        figures.objects += wanted.lines.count
        attempt("one by one") { try store.withSession { _ in try alone() } }
        // Two graphs cover each format with each store.
        let formats: [TransferFormat] = seed % 2 == 0 ? [.json, .jsonLines] : [.jsonLines, .json]
        for (format, isEmpty) in zip(formats, [true, false]) {
            let file = folder.appending(path: "graph.\(format)")
            attempt("\(format) into \(isEmpty ? "an empty store" : "a store with rows")") {
                try store.export(TransferGraph.classes, to: file, as: format)
                return try isEmpty ? intoEmpty(file, wanted) : intoFilled(file, wanted)
            }
        }
        for type in TransferGraph.classes { attempt("\(type) as CSV") { try table(type, store) } }
    }

    // MARK: Files

    private func intoEmpty(_ file: URL, _ wanted: TransferContent) throws -> String? {
        figures.files += 1
        return try withNewStore { store in try intoEmpty(store, file, wanted) }
    }

    private func intoEmpty(_ store: Store, _ file: URL, _ wanted: TransferContent) throws -> String? {
        let report = try store.import(TransferGraph.classes + TransferGraph.subclasses, from: file)
        guard report.count == wanted.lines.count, report.skipped.isEmpty, report.leftOut.isEmpty else {
            return "\(report)"
        }
        if let difference = try compare(store, wanted) { return difference }
        // Importing objects with keys again updates them with the same values.
        let again = folder.appending(path: "again.jsonl")
        let keyed: [PersistentObject.Type] = [Node<Worded>.self, Node<Unique16>.self]
        try store.export(keyed, to: again)
        try store.import(keyed + [Leaf<Worded>.self, Leaf<Unique16>.self], from: again)
        return try compare(store, wanted).map { "again: \($0)" }
    }

    private func compare(_ store: Store, _ wanted: TransferContent) throws -> String? {
        let found = try store.withSession { _ in try TransferContent.read() }
        if let difference = wanted.difference(from: found) { return difference }
        return try store.checkIntegrity().problems.first.map { "\($0)" }
    }

    /// Imports into a store with rows, which offset the ids of the file.
    private func intoFilled(_ file: URL, _ wanted: TransferContent) throws -> String? {
        figures.files += 1
        return try withNewStore { store in try intoFilled(store, file, wanted) }
    }

    private func intoFilled(_ store: Store, _ file: URL, _ wanted: TransferContent) throws -> String? {
        try store.withSession { session in
            let nodes = (0..<5).map { number in
                let node = Node<Automatic>()
                node.tag = -1 - number
                node.next = node
                return node
            }
            try session.save(nodes)
            try nodes[4].delete()
        }
        try store.import(TransferGraph.classes + TransferGraph.subclasses, from: file)
        var moved = wanted
        let found = try store.withSession { _ in
            let content = try TransferContent.read(fixedIDs: false)
            for tag in moved.names.keys where content.names[tag] == nil { moved.names[tag] = nil }
            return content
        }
        if let difference = moved.difference(from: found) { return difference }
        return try store.checkIntegrity().problems.first.map { "\($0)" }
    }

    /// Checks that each CSV cell has the value of the JSON.
    private func table(_ type: PersistentObject.Type, _ store: Store) throws -> String? {
        figures.files += 1
        let (lines, cells) = (folder.appending(path: "lines"), folder.appending(path: "cells"))
        try store.export([type], to: lines)
        try store.export([type], to: cells, as: .csv)
        let objects = try Data(contentsOf: lines).split(separator: UInt8(ascii: "\n")).map { line in
            try JSONSerialization.jsonObject(with: line) as? [String: Any] ?? [:]
        }
        let table = CSVTable(try Data(contentsOf: cells))
        guard table.rows.count == objects.count else { return "\(table.rows.count) rows for \(objects.count) objects" }
        for (object, row) in zip(objects, table.rows) {
            for (name, value) in object {
                guard let cell = row[name] else { return "no column \(name) in \(table.header)" }
                if try !isSame(value, cell) { return "\(name): \(value) is the cell \(cell)" }
            }
        }
        return nil
    }

    private func isSame(_ value: Any, _ cell: String) throws -> Bool {
        func text(_ value: Any) throws -> String {
            String(decoding: try JSONSerialization.data(withJSONObject: [value], options: .sortedKeys), as: UTF8.self)
        }
        switch value {
        case is NSNull: return cell.isEmpty
        case let string as String:
            // Foundation drops a byte order mark from the start of a string in JSON.
            let cell =
                cell.unicodeScalars.first == "\u{feff}" ? cell.unicodeScalars.dropFirst() : cell.unicodeScalars[...]
            return string.unicodeScalars.elementsEqual(cell)
        default:
            let parsed = try JSONSerialization.jsonObject(with: Data(cell.utf8), options: .fragmentsAllowed)
            return try text(value) == text(parsed)
        }
    }

    // MARK: Objects

    /// Copies each object by its JSON and its dictionaries.
    private func alone() throws -> String? {
        func check<T: PersistentObject>(_ object: T, _ signature: (T) -> [String]) throws -> String? {
            let own = signature(object)
            let copies = [
                ("json", try T(json: object.json)), ("jsonObject", try T(object.jsonObject)),
                ("dictionary", try T(object.dictionary.filter { $0.key != "id" })),
            ]
            for (name, copy) in copies {
                if let (old, new) = zip(own, signature(copy)).first(where: { $0 != $1 }) {
                    return "\(T.self) by \(name): \(old) became \(new)"
                }
            }
            return nil
        }
        func checkAll<I: TransferIdentity>(_ type: Node<I>.Type) throws -> String? {
            for node in try Node<I>.all() {
                let problem =
                    if let leaf = node as? Leaf<I> { try check(leaf) { $0.signature } } else {
                        try check(node) { $0.signature }
                    }
                if let problem { return problem }
            }
            return nil
        }
        return try checkAll(Node<Automatic>.self) ?? checkAll(Node<Given>.self) ?? checkAll(Node<Worded>.self)
            ?? checkAll(Node<Unique16>.self)
    }
}
