// Pages: results that are read in parts: by page number, by keyset, in batches or as a stream. It knows queries and how
// they run, and must not know finders.

/// One page of the objects that a query finds.
///
/// ```swift
/// let page = try Person.query.order(by: \.lastName).page(2, of: 20)
/// for person in page.items { print(person) }
/// if page.hasNext { print("more") }
/// ```
public struct Page<T: Persistent> {
    /// The objects on the page.
    public let items: [T]
    /// The number of the page, from 1.
    public let number: Int
    /// The number of objects on a full page.
    public let size: Int
    /// Whether there are objects after the page.
    public let hasNext: Bool
    /// Whether there is a page before this one.
    public var hasPrevious: Bool { number > 1 }
    let query: Query<T>

    /// Returns the number of objects that the query finds now, on all pages.
    ///
    /// - Complexity: One SELECT.
    public func total(isolation: isolated (any Actor)? = #isolation) throws -> Int {
        try query.count(isolation: isolation)
    }

    /// Returns the current number of pages.
    ///
    /// - Complexity: One SELECT.
    public func pageCount(isolation: isolated (any Actor)? = #isolation) throws -> Int {
        let total = try total(isolation: isolation)
        return total / size + (total % size == 0 ? 0 : 1)
    }
}

extension Query {
    /// Returns a page of the objects that the query finds, in its order.
    ///
    /// Pages are counted from 1; a page after the last one is empty. For many pages, `after(_:limit:)` is faster, and
    /// misses no objects if rows are added or deleted between pages.
    ///
    /// - Throws: `QueryError` if the number or the size is less than 1.
    /// - Complexity: One SELECT of one row more than the page has, to determine whether there is a next page. SQLite
    ///   steps over the rows of the pages before.
    public func page(
        _ number: Int, of size: Int, isolation: isolated (any Actor)? = #isolation
    ) throws -> Page<T> {
        guard number >= 1, size >= 1 else {
            throw QueryError.notExpressible("A page has a number from 1 and at least one object")
        }
        let (start, isBeyond) = (number - 1).multipliedReportingOverflow(by: size)
        let (offset, isFarBeyond) = definition.offset.addingReportingOverflow(start)
        let limit = definition.limit ?? .max
        guard !isBeyond, !isFarBeyond, start < limit else {
            return Page(items: [], number: number, size: size, hasNext: false, query: self)
        }
        let wanted = size == .max ? size : size + 1
        let found = try self.offset(offset).limit(Swift.min(wanted, limit - start)).all(isolation: isolation)
        return Page(
            items: Array(found.prefix(size)), number: number, size: size, hasNext: found.count > size, query: self)
    }
}
