/// What a query finds at one time, as an array, and what is different from the time before.
///
/// ```swift
/// for try await people in Person.query.order(by: \.lastName).updates() {
///     print(people.map(\.lastName), people.inserted, people.deleted)
/// }
/// ```
///
/// The places are those that table views want: what goes by its place in the
/// old list, what comes by its place in the new one. Take out all of `deleted`
/// and of `moved` by `from`, the last first, then put in all of `inserted` and of
/// `moved` by `to`, the first first.
public struct QueryUpdate<T: Persistent>: RandomAccessCollection {
    /// What the query finds now.
    public let objects: [T]
    /// Whether it is the first one, which differs from nothing.
    public let isFirst: Bool
    /// The places, in the new list, of objects that were not found before.
    public let inserted: [Int]
    /// The places, in the old list, of objects that are not found any more.
    public let deleted: [Int]
    /// Objects that have changed their place among the others.
    public let moved: [Move]
    /// The places, in the new list, of objects that were found before and whose rows or collections have changed.
    ///
    /// If it is not known which have, all are named: after a commit of
    /// another process, or of SQL of your own on the tables of collections.
    public let changed: [Int]

    /// An object that has changed its place.
    public struct Move: Sendable, Hashable {
        /// Its place in the old list.
        public let from: Int
        /// Its place in the new list.
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

    /// Whether it differs from the time before.
    var isDifferent: Bool { !inserted.isEmpty || !deleted.isEmpty || !moved.isEmpty || !changed.isEmpty }

    /// The place of the first object.
    public var startIndex: Int { objects.startIndex }
    /// The place after the last object.
    public var endIndex: Int { objects.endIndex }
    /// The object at a place.
    public subscript(place: Int) -> T { objects[place] }
}
