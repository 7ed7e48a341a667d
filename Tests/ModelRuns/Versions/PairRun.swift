import Foundation
import PersistentObjects

/// Changes the type of a property between each pair of shapes: with the same and with a new name, in a root class and
/// in a subclass, with rows that have values, are empty or are nil.
///
/// After a change, the plan is empty, the integrity check finds nothing, and each value is unchanged or counted as a
/// loss. After a refusal, the file is unchanged. A value that is converted back has the same bits.
public final class PairRun {
    /// The results of the pairs.
    public struct Figures: Codable, Sendable {
        public var pairs = 0
        /// Changes of a file that succeeded.
        public var converted = 0
        public var refused = 0
        /// Conversions that were possible in both directions.
        public var backAgain = 0
        /// The defects, each with the number of its pair and its kinds of rows.
        public var findings: [String] = []

        public init() {}

        public mutating func add(_ other: Figures) {
            pairs += other.pairs
            converted += other.converted
            refused += other.refused
            backAgain += other.backAgain
            findings += other.findings
        }
    }

    public private(set) var figures = Figures()
    private let shapes = Shape.all()
    private let seed: UInt64
    private let folder: String
    private let isOwn: Bool
    private var templates: [String: Template] = [:]

    private struct Template {
        let path: String
        let contents: [Content]
    }

    /// Creates a run with files in the folder; if it is nil, in a new folder, in memory if the system supports that.
    public init(seed: UInt64, folder: String? = nil) throws {
        self.seed = seed
        isOwn = folder == nil
        let root = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : FileManager.default.temporaryDirectory.path
        self.folder = folder ?? root + "/pairs-" + UUID().uuidString
        if isOwn {
            try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: false)
        }
    }

    deinit { if isOwn { try? FileManager.default.removeItem(atPath: folder) } }

    /// The number of pairs of shapes, each with two names and two places.
    public static let count = shapeCount * shapeCount * 4
    private static let shapeCount = 118

    private struct Pair {
        let number: Int
        let old, new: Shape
        let isBelow, isRenamed: Bool

        var oldBox: any ShapeBox.Type { old.box(isBelow: isBelow, isRenamed: false) }
        var newBox: any ShapeBox.Type { new.box(isBelow: isBelow, isRenamed: isRenamed) }
        var oldClasses: [PersistentObject.Type] { old.classes(isBelow: isBelow, isRenamed: false) }
        var newClasses: [PersistentObject.Type] { new.classes(isBelow: isBelow, isRenamed: isRenamed) }
    }

    /// Runs the pair with a number.
    public func run(_ number: Int) throws {
        precondition(shapes.count == PairRun.shapeCount)
        let (variant, place) = (number % 4, number / 4)
        let pair = Pair(
            number: number, old: shapes[place / shapes.count], new: shapes[place % shapes.count],
            isBelow: variant & 1 == 1, isRenamed: variant & 2 == 2)
        figures.pairs += 1
        // All kinds of rows are tried together. If the change is refused, each kind is tried separately.
        guard try !change(pair, RowKind.allCases) else { return }
        for kind in RowKind.allCases { _ = try change(pair, [kind]) }
    }

    // MARK: One change

    private static var configuration: Store.Configuration {
        .init(durability: .relaxed, showsValuesInErrors: true, onNote: { _ in }, journal: .rollback)
    }

    private func withStore<R>(_ path: String, _ body: (Store) throws -> R) throws -> R {
        let store = try Store(path, configuration: PairRun.configuration)
        defer { store.close() }
        return try body(store)
    }

    /// Whether the change succeeded, or there is nothing to change.
    private func change(_ pair: Pair, _ kinds: [RowKind]) throws -> Bool {
        guard let template = try template(pair, kinds) else { return true }
        let path = folder + "/pair.sqlite"
        try? FileManager.default.removeItem(atPath: path)
        try? FileManager.default.removeItem(atPath: path + "-journal")
        try FileManager.default.copyItem(atPath: template.path, toPath: path)
        let old = template.contents
        func report(_ text: String) {
            let place = "\(pair.isBelow ? "below" : "root")\(pair.isRenamed ? " renamed" : "")"
            let kinds = kinds.map { "\($0)" }.joined(separator: "+")
            let finding =
                "\(pair.number): \(pair.old.name) -> \(pair.new.name) (\(place), \(kinds)): \(text); rows \(old)"
            figures.findings.append(finding.replacing("\n", with: " "))
        }
        var new: [Content] = []
        var hasLosses = false
        do {
            try withStore(path) { store in
                let plan = try store.schemaPlan(for: pair.newClasses)
                hasLosses = !plan.losses.isEmpty
                try store.run(plan)
                let left = try store.schemaPlan(for: pair.newClasses)
                if !left.isEmpty { report("the plan is not empty: \(left)") }
                do { new = try contents(pair.newBox, store) } catch { report("the rows cannot be read: \(error)") }
                let problems = try store.checkIntegrity().problems
                if let problem = problems.first { report("integrity: \(problem)") }
            }
        } catch {
            figures.refused += 1
            refused(error, path, template, report)
            return false
        }
        figures.converted += 1
        guard new.count == old.count else {
            report("\(new.count) rows")
            return true
        }
        let initial = initialContent(pair.newBox)
        for (before, after) in zip(old, new) where !before.isKept(in: after, initial: initial) && !hasLosses {
            report("\(before) became \(after) without a loss")
            return true
        }
        try back(pair, path, old, new, hasLosses, report)
        return true
    }

    private func refused(_ error: any Error, _ path: String, _ template: Template, _ report: (String) -> Void) {
        let text = "\(error)"
        if !(error is StoreError || error is SchemaError) { report("an error of another type: \(text)") }
        // The error must name the class, and must not be SQLite's.
        if !text.contains("Box") || text.contains("SQLite code") { report("not an error of the library's: \(text)") }
        let isSame = FileManager.default.contentsEqual(atPath: path, andPath: template.path)
        if !isSame { report("it was refused, and the file has changed: \(text)") }
    }

    /// Reverts the change. It must be refused, or each value must be the same as before.
    private func back(
        _ pair: Pair, _ path: String, _ old: [Content], _ new: [Content], _ hasLosses: Bool, _ report: (String) -> Void
    ) throws {
        // A new name cannot be reverted without a declaration.
        guard !pair.isRenamed, !hasLosses else { return }
        do {
            try withStore(path) { store in
                try store.run(try store.schemaPlan(for: pair.oldClasses))
                let back = try contents(pair.oldBox, store)
                figures.backAgain += 1
                for (place, (before, after)) in zip(old, back).enumerated()
                where !before.elements.isEmpty && !before.isSame(as: after, between: new[place]) {
                    report("\(before) became \(new[place]) and came back as \(after)")
                }
                let problems = try store.checkIntegrity().problems
                if let problem = problems.first { report("integrity after the way back: \(problem)") }
            }
        } catch {
            if !(error is StoreError || error is SchemaError) { report("the way back: \(error)") }
        }
    }

    // MARK: Rows

    /// A file with rows of an old class, which is copied for each change; nil if a type has no such rows.
    private func template(_ pair: Pair, _ kinds: [RowKind]) throws -> Template? {
        let name = "\(pair.old.name) \(pair.isBelow) \(kinds) \(kinds.contains(.tame) ? pair.new.text : "")"
        // The pairs of a shape share five templates of wild rows, so that they have different values.
        let variant = kinds.contains(.wild) ? pair.number / 4 % 5 : 0
        let key = "\(name) \(variant)"
        if let known = templates[key] { return known.contents.isEmpty ? nil : known }
        // The seed depends only on the old shape and the variant, so that a single pair can be replayed.
        let place = pair.number / 4 / shapes.count
        var random = ModelRandom(seed: seed &* 1000 &+ UInt64(8 * place + variant))
        let path = folder + "/template \(templates.count).sqlite"
        let contents = try withStore(path) { store -> [Content] in
            try store.withSession { session in
                try store.prepare(pair.oldClasses)
                try fill(pair.oldBox, kinds, pair.new.text, &random)
                if pair.isBelow, let root = pair.oldClasses.first { try root.init().save() }
            }
            return try self.contents(pair.oldBox, store)
        }
        templates[key] = Template(path: path, contents: contents)
        return contents.isEmpty ? nil : templates[key]
    }

    private func fill<B: ShapeBox>(
        _ box: B.Type, _ kinds: [RowKind], _ text: String, _ random: inout ModelRandom
    ) throws {
        for kind in kinds {
            // Some values cannot be saved, for example a number with more decimal places than its column's scale.
            for _ in 0..<20 {
                guard let value = B.Value.value(kind, like: text, &random) else { break }
                let object = B()
                object[keyPath: B.held] = value
                object.tag = kind.number
                do {
                    try object.save()
                    break
                } catch is StoreError { continue }
            }
        }
    }

    private func contents<B: ShapeBox>(_ box: B.Type, _ store: Store) throws -> [Content] {
        try store.withSession { _ in try B.query.order(by: \.id).all().map { $0[keyPath: B.held].content } }
    }

    private func initialContent<B: ShapeBox>(_ box: B.Type) -> Content { B.Value.start.content }
}
