// Names that other libraries have for what is called otherwise here. Without these they would be taken for finders, and
// fail when they run.
extension Persistent {
    /// Never called: objects are saved by themselves.
    @available(*, unavailable, message: "use try object.save() or try session.save(objects) instead")
    public static func insert(_ objects: Any...) throws {}

    /// Never called: objects are made by their initialisers.
    @available(*, unavailable, message: "create the object and save it: let object = Person(); try object.save()")
    public static func create(_ values: Any...) throws {}

    /// Never called: an object is found by its id with `find`.
    @available(*, unavailable, message: "use find to find an object by its id: try Person.find(7)")
    public static func get(_ id: some Any) throws -> Self? { nil }

    /// Never called: whether there is an object is asked with `find` or a query.
    @available(
        *, unavailable, message: "use try Person.find(7) != nil or try Person.where { $0.age > 30 }.exists() instead"
    )
    public static func exists(_ id: some Any) throws -> Bool { false }

    /// Never called: all objects are `all()`.
    @available(*, unavailable, renamed: "all()")
    public static func list() throws -> [Self] { [] }

    /// Never called: all objects are `all()`.
    @available(*, unavailable, renamed: "all()")
    public static func getAll() throws -> [Self] { [] }

    /// Never called: values are compared in a query or a finder.
    @available(*, unavailable, message: "compare in a query: try Person.where { $0.lastName == \"x\" }.first()")
    public static func findFirst(_ values: [String: Any?]) throws -> Self? { nil }

    /// Never called: values are compared in a query or a finder.
    @available(*, unavailable, message: "compare in a query: try Person.where { $0.lastName == \"x\" }.all()")
    public static func findAllWhere(_ values: [String: Any?]) throws -> [Self] { [] }

    /// Never called: conditions are given to `where`.
    @available(*, unavailable, message: "use where instead: Person.where { $0.age > 30 }")
    public static func filter(_ condition: (Columns<Self>) throws -> Condition) throws {}
}
