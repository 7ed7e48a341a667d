// Names that other libraries have for what is called otherwise here. Without these they would be taken for finders, and
// fail when they run.
extension Persistent {
    /// Never called: objects are saved by themselves.
    @available(*, unavailable, message: "save the object: try object.save(), or try session.save(objects)")
    public static func insert(_ objects: Any...) throws {}

    /// Never called: objects are made by their initialisers.
    @available(*, unavailable, message: "make the object and save it: let object = Person(); try object.save()")
    public static func create(_ values: Any...) throws {}

    /// Never called: conditions are given to `where`.
    @available(*, unavailable, message: "conditions are given to where: Person.where { $0.age > 30 }")
    public static func filter(_ condition: (Columns<Self>) throws -> Condition) throws {}
}
