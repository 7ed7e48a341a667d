// Finders: from a name, a key path or criteria text to a query, and the call of it. It knows queries and how to
// fetch, and must not write SQL: whatever a finder can say, a query says.

/// A dynamic finder, as `Person.findByLastName` gives it: call it with the arguments that its name asks for.
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
/// Behind the arguments a call may have options, see `FinderOption`.
///
/// What is found is answered in the type that the context asks for: `[T]` where
/// it asks for none. A misspelt name, a wrong number or type of arguments, and
/// an answer that the finder cannot give are a `FinderError`, thrown before any
/// SQL is run.
public struct Finder<T: Persistent>: FinderAnswers {
    /// The name as written.
    public let name: String
    let type: PersistentObject.Type

    private func call(_ arguments: [Any?]) -> FinderCall { FinderCall(type, name, arguments) }

    /// Runs the finder; a `delete` finder answers with the objects it deleted.
    ///
    /// - Throws: `FinderError` for a name or arguments that do not fit,
    ///   `SchemaError` for a class that cannot be stored, `StoreError` for all
    ///   that goes wrong with the file.
    @discardableResult
    public func callAsFunction(_ arguments: Any?..., isolation: isolated (any Actor)? = #isolation) throws -> [T] {
        try call(arguments).objects().cast(to: T.self)
    }

    /// Runs the finder for a part of what it finds, in its order.
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
    /// - Throws: besides what the others throw, `StoreError` with the code
    ///   `notFound` or `severalFound`.
    @_disfavoredOverload
    public func callAsFunction(_ arguments: Any?..., isolation: isolated (any Actor)? = #isolation) throws -> T {
        ObjectMemory.cast(try call(arguments).onlyObject(), to: T.self)
    }

    /// Runs a `count` finder, or a `delete` finder, which answers how many it deleted.
    @_disfavoredOverload @discardableResult
    public func callAsFunction(_ arguments: Any?..., isolation: isolated (any Actor)? = #isolation) throws -> Int {
        try call(arguments).number()
    }

    /// Runs an `ids` finder: the ids of what is found, without the objects.
    @_disfavoredOverload
    public func callAsFunction(_ arguments: Any?..., isolation: isolated (any Actor)? = #isolation) throws -> [Int64] {
        try call(arguments).ids()
    }

    /// Runs a finder that begins with `sumOf`, `totalOf`, `averageOf`, `minOf` or `maxOf`; nil where there are no values.
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

/// What makes an optional answer possible beside a list.
///
/// The overload for `T?` stands in an extension of this protocol: it is less
/// specialised than the one for `[T]` in `Finder`, and so is chosen only where
/// an optional is asked for (`if let`, `guard let`, `??`, `?.`).
public protocol FinderAnswers<T> {
    /// The class of what is found.
    associatedtype T: Persistent
    /// The name as written.
    var name: String { get }
}

extension FinderAnswers {
    /// Runs the finder for its first object by id, nil where nothing is found.
    @discardableResult
    public func callAsFunction(_ arguments: Any?..., isolation: isolated (any Actor)? = #isolation) throws -> T? {
        let type = (self as? Finder<T>)?.type ?? ObjectMemory.objectClass(T.self)
        return ObjectMemory.cast(try FinderCall(type, name, arguments).firstObject(), to: T.self)
    }
}
