// Finders: turning a name, a key path or criteria text into a query, and running it. It knows queries and how to fetch,
// and must not write SQL, because a query can express every finder.

/// A dynamic finder, such as `Person.findByLastName`: call it with the arguments that its name needs.
///
/// ```swift
/// let smiths = try Person.findByLastName("Smith")                     // [Person]
/// if let joe = try Person.findFirstByLastName("Smith") { … }          // Person?
/// let count: Int = try Person.countByAge(39)
/// if try Person.existsByEmail("a@b.c") { … }
/// let finder = Person.findByLastName                                  // a value
/// let page = try Person.findByAge(39, .order(by: \Person.lastName), .limit(20))
/// ```
///
/// After the arguments, a call can have options; see `FinderOption`.
///
/// The result has the type that the context requires, or `[T]` if it requires none. A misspelled name, a wrong number
/// or type of arguments, and a result type that the finder cannot return throw a `FinderError` before any SQL runs.
public struct Finder<T: Persistent>: FinderAnswers {
    /// The name as written.
    public let name: String
    let type: PersistentObject.Type

    private func call(_ arguments: [Any?]) -> FinderCall { FinderCall(type, name, arguments) }

    /// Runs the finder; a `delete` finder returns the objects that it deleted.
    ///
    /// - Throws: `FinderError` for an invalid name or invalid arguments, `SchemaError` for a class that cannot be
    ///   stored, `StoreError` for all errors of the file.
    @discardableResult
    public func callAsFunction(_ arguments: Any?..., isolation: isolated (any Actor)? = #isolation) throws -> [T] {
        try call(arguments).objects().cast(to: T.self)
    }

    /// Runs the finder and returns a part of the results, in its order.
    ///
    /// ```swift
    /// let page = try Person.findByLastNameOrderByAge("Smith", limit: 20, offset: 40)
    /// ```
    public func callAsFunction(
        _ arguments: Any?..., limit: Int, offset: Int = 0, isolation: isolated (any Actor)? = #isolation
    ) throws -> [T] {
        var arguments = arguments + [FinderOption.limit(limit)]
        if offset != 0 { arguments.append(FinderOption.offset(offset)) }
        return try call(arguments).objects().cast(to: T.self)
    }

    /// Runs the finder for exactly one object.
    ///
    /// - Throws: In addition to the errors of the other calls, `StoreError` with the code `notFound` or `severalFound`.
    @_disfavoredOverload
    public func callAsFunction(_ arguments: Any?..., isolation: isolated (any Actor)? = #isolation) throws -> T {
        ObjectMemory.cast(try call(arguments).onlyObject(), to: T.self)
    }

    /// Runs a `count` finder, or a `delete` finder, which returns the number of deleted objects.
    @_disfavoredOverload @discardableResult
    public func callAsFunction(_ arguments: Any?..., isolation: isolated (any Actor)? = #isolation) throws -> Int {
        try call(arguments).number()
    }

    /// Runs an `ids` finder, which returns the ids of the matching objects without the objects.
    @_disfavoredOverload
    public func callAsFunction(_ arguments: Any?..., isolation: isolated (any Actor)? = #isolation) throws -> [Int64] {
        try call(arguments).ids()
    }

    /// Runs a `sumOf`, `totalOf`, `averageOf`, `minOf` or `maxOf` finder; nil if there are no values.
    ///
    /// ```swift
    /// let oldest: Int? = try Person.maxOfAgeByLastName("Smith")
    /// ```
    @_disfavoredOverload
    public func callAsFunction<V: Sendable>(
        _ arguments: Any?..., isolation: isolated (any Actor)? = #isolation
    ) throws -> V? {
        try call(arguments).aggregate(V.self)
    }

    /// Runs an `exists` finder.
    @_disfavoredOverload
    public func callAsFunction(_ arguments: Any?..., isolation: isolated (any Actor)? = #isolation) throws -> Bool {
        try call(arguments).truth()
    }
}

/// The protocol that allows an optional result in addition to a list.
///
/// The overload for `T?` is in an extension of this protocol: it is less specialized than the one for `[T]` in
/// `Finder`, and so is chosen only if an optional is required (`if let`, `guard let`, `??`, `?.`).
public protocol FinderAnswers<T> {
    /// The class of the results.
    associatedtype T: Persistent
    /// The name as written.
    var name: String { get }
}

extension FinderAnswers {
    /// Runs the finder and returns its first object by id, or nil if nothing is found.
    @discardableResult
    public func callAsFunction(_ arguments: Any?..., isolation: isolated (any Actor)? = #isolation) throws -> T? {
        let type = (self as? Finder<T>)?.type ?? ObjectMemory.objectClass(T.self)
        return ObjectMemory.cast(try FinderCall(type, name, arguments).firstObject(), to: T.self)
    }
}
