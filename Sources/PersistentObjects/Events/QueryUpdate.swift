/// The results of a query at one time, as an array, and the changes since the previous update.
///
/// ```swift
/// for try await people in Person.query.order(by: \.lastName).updates() {
///     print(people.map(\.lastName), people.inserted, people.deleted)
/// }
/// ```
///
/// The positions follow the convention of table views: deletions have positions in the old list, and insertions have
/// positions in the new list. First remove all of `deleted` and of `moved` by `from`, from last to first, then insert
/// all of `inserted` and of `moved` by `to`, from first to last.
public struct QueryUpdate<T: Persistent>: RandomAccessCollection {
    /// The objects that the query finds now.
    public let objects: [T]
    /// Whether it is the first update, which has no changes.
    public let isFirst: Bool
    /// The positions, in the new list, of objects that were not found before.
    public let inserted: [Int]
    /// The positions, in the old list, of objects that are no longer found.
    public let deleted: [Int]
    /// The objects whose position relative to the other objects changed.
    public let moved: [Move]
    /// The positions, in the new list, of objects found before whose rows or collections changed.
    ///
    /// If it is unknown which objects changed, it contains all: after a commit of another process, or after raw SQL on
    /// the tables of collections.
    public let changed: [Int]

    /// The move of an object to another position.
    public struct Move: Sendable, Hashable {
        /// The position in the old list.
        public let from: Int
        /// The position in the new list.
        public let to: Int
    }

    init(first objects: [T]) {
        self.objects = objects
        isFirst = true
        inserted = []
        deleted = []
        moved = []
        changed = []
    }

    init(_ objects: [T], _ difference: ListDifference, changed: [Int]) {
        self.objects = objects
        isFirst = false
        inserted = difference.inserted
        deleted = difference.deleted
        moved = difference.moved.map { Move(from: $0.from, to: $0.to) }
        self.changed = changed
    }

    /// Whether it differs from the previous update.
    var isDifferent: Bool { !inserted.isEmpty || !deleted.isEmpty || !moved.isEmpty || !changed.isEmpty }

    /// The position of the first object.
    public var startIndex: Int { objects.startIndex }
    /// The position after the last object.
    public var endIndex: Int { objects.endIndex }
    /// The object at a position.
    public subscript(place: Int) -> T { objects[place] }
}
