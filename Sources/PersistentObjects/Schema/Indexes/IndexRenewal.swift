internal import StoreEngine

/// The replacement of an index whose order differs from the order of queries, or the removal of an unfinished one.
///
/// It runs after the transaction of a plan, because the database builds an index without blocking other sessions only
/// outside transactions. If the build is interrupted, an unfinished index remains, which the next preparation drops.
struct IndexRenewal: Sendable {
    let table: String
    /// The index to build; nil if an unfinished index is dropped.
    private let index: WrittenIndex?
    /// The names of the new index while it is built, and of the former index before it is dropped.
    private let new: String
    private let former: String
    private let replacement: IndexReplacement

    init(_ index: WrittenIndex, on table: String, _ replacement: IndexReplacement) {
        self.table = table
        self.index = index
        self.replacement = replacement
        new = IndexRenewal.name(IndexRenewal.newPrefix, index.name)
        former = IndexRenewal.name(IndexRenewal.formerPrefix, index.name)
    }

    init(removing name: String, on table: String, _ replacement: IndexReplacement) {
        self.table = table
        self.replacement = replacement
        (index, new, former) = (nil, name, name)
    }

    private static let newPrefix = "po_new_"
    private static let formerPrefix = "po_old_"

    /// Whether an interrupted replacement left the index.
    static func isUnfinished(_ name: String) -> Bool { name.hasPrefix(newPrefix) || name.hasPrefix(formerPrefix) }

    /// A name of at most 63 bytes, the limit of a server.
    private static func name(_ prefix: String, _ name: String) -> String {
        guard prefix.utf8.count + name.utf8.count > 63 else { return prefix + name }
        return prefix + TextHash.bytes(name).prefix(12).map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
    }

    /// The statements, in order.
    var statements: [SQL] {
        guard let index else { return [removal(of: new)] }
        return [
            index.creation(on: table, named: new, replacement.concurrently),
            replacement.exchange(index.name, new, former), removal(of: former),
        ]
    }

    private func removal(of name: String) -> SQL { "DROP INDEX\(replacement.concurrently) IF EXISTS \(name: name)" }

    /// Replaces the index, unless another process has replaced it in the meantime.
    ///
    /// - Returns: False if another process is replacing indexes of the table.
    func run(_ connection: any Connection) throws -> Bool {
        guard try connection.value(replacement.claim(table)) == .integer(1) else { return false }
        defer { _ = try? connection.value(replacement.release(table)) }
        let found = try connection.schema.indexes(of: table)
        if let index, !found.contains(where: { $0.name == index.name && !index.matches($0) }) { return true }
        if index != nil, found.contains(where: { $0.name == new }) { try connection.execute(removal(of: new)) }
        for statement in statements { try connection.execute(statement) }
        return true
    }
}

extension SchemaPlan {
    /// Replaces outdated indexes outside a transaction, without blocking other sessions.
    ///
    /// A failure is only noted, because queries return the same rows without the index.
    ///
    /// - Returns: Whether all of them were replaced, and notes for the user about the failures.
    func renewIndexes(_ connection: any Connection) throws -> (isDone: Bool, notes: [String]) {
        var (isDone, notes) = (true, [] as [String])
        for change in changes {
            guard let renewal = change.renewal else { continue }
            do { if try !renewal.run(connection) { isDone = false } } catch let error as StoreError {
                guard ![.cancelled, .connectionLost].contains(error.code) else { throw error }
                isDone = false
                notes.append(
                    "\(change.className): \(change.summary) failed: \(error.message). Queries return the same rows, "
                        + "but sorting by this index is slow. The next preparation tries again")
            }
        }
        return (isDone, notes)
    }
}
