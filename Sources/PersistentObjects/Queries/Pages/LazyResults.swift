internal import StoreEngine

/// The results of a query, read as they are accessed: for lists on a screen.
///
/// ```swift
/// let people = try Person.query.order(by: \.lastName).lazily()
/// people.count        // known
/// try people[17]      // read now, and its neighbors with it
/// ```
///
/// The set of objects and their order stay as they were when the query ran; each object has the values stored when it
/// is accessed. Neighbors are read together, fifty with one query, and a few hundred objects are kept in memory.
///
/// `LazyResults` is not a `Sequence`, because reading an object can fail and iterating over a sequence cannot. Use
/// `forEach` and `map`, which throw, or iterate over `indices` or `ids`, which are collections that a list can show.
///
/// ```swift
/// for place in people.indices { print(try people[place].lastName) }
/// try people.forEach { print($0.lastName) }
/// ```
public final class LazyResults<T: Persistent> {
    private let found: FoundObjects
    /// The blocks that were accessed last, in the order of access.
    private var blocks: [(number: Int, objects: [PersistentObject?])] = []

    private static var blockSize: Int { 50 }
    /// A scrolling list shows parts of two blocks at a time.
    private static var blockLimit: Int { 4 }

    init(_ found: FoundObjects) { self.found = found }

    /// The number of objects.
    public var count: Int { found.ids.count }

    /// Whether there are no objects.
    public var isEmpty: Bool { found.ids.isEmpty }

    /// The ids of all objects, in order.
    public var ids: [Int64] { found.ids }

    /// The object at a position, counted from 0.
    ///
    /// - Throws: `StoreError`, with the code `rowGone` if the object was deleted since the query ran, `misuse` if the
    ///   position is not in `0..<count`, and `sessionEnded`.
    public subscript(place: Int) -> T {
        get throws {
            guard found.ids.indices.contains(place) else {
                throw StoreError(
                    .misuse, "The index \(place) is out of range, because there are \(found.ids.count) results",
                    className: "\(T.self)")
            }
            let number = place / Self.blockSize
            let offset = place % Self.blockSize
            if let index = blocks.firstIndex(where: { $0.number == number }) {
                let block = blocks.remove(at: index)
                // If the row was changed elsewhere, its block is read again.
                if let object = block.objects[offset], object.lifecycle != .saved || found.isCurrent(object) {
                    blocks.append(block)
                    return try live(object, place)
                }
            }
            let start = number * Self.blockSize
            let end = Swift.min(start + Self.blockSize, found.ids.count)
            let objects = try found.objects(start..<end)
            blocks.append((number, objects))
            if blocks.count > Self.blockLimit { blocks.removeFirst() }
            return try live(objects[offset], place)
        }
    }

    /// The positions of all objects.
    public var indices: Range<Int> { found.ids.indices }

    /// The first object, read on access, or nil if there is none.
    ///
    /// - Throws: The errors of `subscript`.
    public var first: T? { get throws { try isEmpty ? nil : self[0] } }

    /// The last object, read on access, or nil if there is none.
    ///
    /// - Throws: The errors of `subscript`.
    public var last: T? { get throws { try isEmpty ? nil : self[count - 1] } }

    /// Calls `body` with each object, in order, with a few hundred in memory at a time.
    ///
    /// - Throws: The errors of `subscript` and of `body`; no further object is read then.
    public func forEach(_ body: (T) throws -> Void) throws {
        for place in indices { try body(try self[place]) }
    }

    /// Returns the results of calling `transform` with each object, in order.
    ///
    /// - Throws: The errors of `forEach`.
    public func map<Result>(_ transform: (T) throws -> Result) throws -> [Result] {
        try indices.map { try transform(try self[$0]) }
    }

    /// Returns the first objects, read by this call; all objects if there are fewer.
    ///
    /// - Throws: The errors of `subscript`.
    public func prefix(_ count: Int) throws -> [T] { try indices.prefix(Swift.max(count, 0)).map { try self[$0] } }

    private func live(_ object: PersistentObject?, _ place: Int) throws -> T {
        guard let object, object.lifecycle != .deleted else { throw found.missing(place) }
        return ObjectMemory.cast(object, to: T.self)
    }
}

extension Query {
    /// Returns the objects that the query finds, each read when it is accessed.
    ///
    /// A list of a million objects takes the memory of its ids.
    ///
    /// - Complexity: One query for the ids now, and one for each fifty neighbors that are accessed.
    public func lazily(isolation: isolated (any Actor)? = #isolation) throws -> LazyResults<T> {
        LazyResults(try QueryCall(definition).found())
    }
}
