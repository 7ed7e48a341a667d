// Object: what every object of a user's class is and has: its id, its boxes, its hooks. It knows its keeper by two
// calls, and must not know what a store is.

/// The base class of what is stored: subclass it, declare plain `var`s, and save.
///
/// ```swift
/// final class Person: PersistentObject {
///     var lastName = ""
///     var age: Int?
/// }
///
/// let joe = Person()
/// joe.lastName = "Smith"
/// try joe.save()
/// ```
///
/// Each stored `var` becomes a column of the table `person`. A row is in memory
/// once per session: whoever fetches it gets the same instance. An object, like
/// the session it belongs to, is used in one isolation domain; a `PersistentID`
/// crosses to others.
///
/// Stored: numbers, `Bool`, `String`, `Substring`, `Character`, `URL`,
/// `Decimal`, `Data`, `[UInt8]`, `UUID`, `Date`, enumerations with raw values,
/// other `Codable` values, values of your own that are `PersistentValue`, and
/// optionals of all of these; references to objects, optional or `weak`;
/// arrays, sets and dictionaries of values or objects, each in a table of its
/// own; the other side of references by `@Inverse`. Not stored: `let`, computed
/// and `lazy` properties, and those marked `@Transient`.
///
/// A subclass shares the table of its superclass, and a find on the superclass
/// sees its objects.
nonisolated open class PersistentObject: Persistent {
    /// What the library knows of the object, first in its memory.
    final var header = ObjectHeader()

    /// Makes a new object, which has no row until it is saved.
    public required init() {}

    // The order matters: the edits are read while the fields still have them, the object leaves the map before its
    // memory goes, the references are moved out before the fields are destroyed. The compiler destroys the fields
    // of subclasses after this body; tests keep watch over that.
    deinit {
        if !ObjectMemory.tellKeeperOfEnd(of: self) {
            ReleasePlan.plan(of: type(of: self)).moveReferences(outOf: ObjectMemory.start(of: self))
        }
    }

    /// The id of the object's row: nil until it is saved, never used again after it is deleted.
    public final var id: Int64? { lifecycle == .new ? nil : rowID }

    /// The name of the table; by default the name in snake case of the class, or of the topmost one that shares it.
    ///
    /// `PersistablePerson` is stored in `persistable_person`, and so are its
    /// subclasses' objects. Private, local and
    /// generic classes, whose names are not their own, must override it.
    ///
    /// ```swift
    /// override class var tableName: String { "people" }
    /// ```
    open class var tableName: String { TableNaming.defaultName(of: self) }

    /// Names that the table had in earlier versions; one that is found is renamed.
    open class var formerTableNames: [String] { [] }

    /// Names that the class had in earlier versions, where rows tell their class: in a hierarchy.
    ///
    /// Rows of a former name become rows of the class when it is next used.
    ///
    /// ```swift
    /// override class var formerNames: [String] { ["Worker"] }
    /// ```
    open class var formerNames: [String] { [] }

    /// How properties get their values from what earlier versions of the class had, where only you know the meaning:
    /// see ``PropertyConversion``.
    open class var conversions: [PropertyConversion] { [] }

    /// Whose the table is: the library's own, which it makes and changes with the class, or one that is there already.
    ///
    /// ```swift
    /// final class Artist: PersistentObject {
    ///     override class var tableName: String { "Artist" }
    ///     override class var origin: TableOrigin { .existing }
    ///     @Column("Name") var name: String?
    /// }
    /// ```
    ///
    /// A table of others is never made, altered or added to: what does not fit is
    /// one `SchemaError.tableDiffers` at the first use, with all differences. Such
    /// a class has no collections, subclasses, keys of `identity`, search and soft
    /// deletion; its `Date`s are texts unless `@Column(_:format:)` says otherwise.
    open class var origin: TableOrigin { .own }

    /// The properties whose columns name a row, in a class whose table others have made: what references to it stand as,
    /// and what `find(key:)` takes. None, the default, where the table has an `INTEGER PRIMARY KEY`: that is the `id`.
    ///
    /// ```swift
    /// override class var primaryKey: [AnyKeyPath] { [\OrderDetail.order, \OrderDetail.product] }
    /// ```
    ///
    /// The columns must be the table's primary key or have a unique index.
    open class var primaryKey: [AnyKeyPath] { [] }

    /// How columns without a name of their own are called; of classes with `origin: .existing` only.
    ///
    /// `.verbatim` saves a `@Column` for each property of a table whose columns are called as properties are. A reference
    /// and the fields of an embedded value still name their columns.
    ///
    /// ```swift
    /// override class var columnNaming: ColumnNaming { .verbatim }     // var unitPrice: the column unitPrice
    /// ```
    open class var columnNaming: ColumnNaming { .snakeCase }

    /// Whether the objects are for reading only, as those of a view: saving a new or changed one, or deleting one, is
    /// a `StoreError` with the code `readOnly`. The whole hierarchy has what its topmost class says.
    ///
    /// ```swift
    /// override class var isReadOnly: Bool { true }
    /// ```
    open class var isReadOnly: Bool { false }

    /// Indexes over one or more properties.
    ///
    /// ```swift
    /// override class var indexes: [Index] {
    ///     [Index(\Person.lastName, \Person.firstName), Index("email", unique: true)]
    /// }
    /// ```
    open class var indexes: [Index] { [] }

    /// Properties that `search` looks for words in: what `@Searchable` says, for classes that are `@Observable`.
    ///
    /// ```swift
    /// override class var searchable: [AnyKeyPath] { [\Note.title, \Note.text] }
    /// ```
    open class var searchable: [AnyKeyPath] { [] }

    /// Columns by property, where the name is not to be the property's own in snake case: what `@Column` says, for
    /// classes that are `@Observable` and so cannot use it.
    open class var columns: [String: String] { [:] }

    /// Names that the columns of properties had in earlier versions, by property; one that is found is renamed: what
    /// `@Column(_:renamedFrom:)` says, for classes that are `@Observable`.
    ///
    /// ```swift
    /// override class var formerColumns: [String: [String]] { ["nick": ["nickname"]] }
    /// ```
    open class var formerColumns: [String: [String]] { [:] }

    /// Properties that are not stored: what `@Transient` says, for classes that are `@Observable`.
    open class var transient: Set<String> { [] }

    /// Properties whose fields are columns of their own: what `@Embedded` says, for classes that are `@Observable`.
    ///
    /// ```swift
    /// override class var embedded: Set<String> { ["address"] }
    /// ```
    open class var embedded: Set<String> { [] }

    /// Whether the objects have keys beside their ids: UUIDs, or texts of your own.
    ///
    /// Ids are numbers that one file gives; a key names an object everywhere.
    /// It is a property like any other, `key`, that is unique; a new object
    /// without one gets a UUID when it is saved, which tells the time of its
    /// making. The whole hierarchy has what its topmost class says.
    ///
    /// ```swift
    /// override class var identity: Identity { .uuid }
    /// ```
    open class var identity: Identity { .integer }

    /// Delete rules by property: what `@OnDelete` says, for classes that are `@Observable`.
    open class var deleteRules: [String: DeleteRule] { [:] }

    /// Whether the class has no table of its own; each of its subclasses has one then, though it inherits the `true`.
    open class var isAbstract: Bool { false }

    /// What objects must meet to be found, where nothing else is said: nothing by default.
    ///
    /// ```swift
    /// final class Article: PersistentObject {
    ///     var isDraft = false
    ///     override class var defaultScope: Condition { Article.condition { !$0.isDraft } }
    /// }
    /// let all = try Article.unscoped.all()                    // drafts too
    /// ```
    ///
    /// It counts for queries, all finders, `all()`, `first()`, `count()`,
    /// `deleteAll()`, and what a query changes or deletes; not for `find(_:)`
    /// by an id or key, and not for what references, collections and inverses
    /// lead to. It is asked for at each query, so it may depend on the moment.
    /// A subclass inherits it, and adds to it with `super.defaultScope && …`;
    /// what counts is the scope of the class that is asked. If it has a query
    /// of the class itself in it, that begins with `unscoped`.
    open class var defaultScope: Condition { .none }

    /// Operators that finder names of the class can have in addition to the built-in ones: none by default.
    ///
    /// ```swift
    /// override class var finderOperators: [FinderOperator] {
    ///     [FinderOperator("LongerThan") { (text: Term<String, String?>, count: Int) in text.count > count }]
    /// }
    /// let people = try Person.findByLastNameLongerThan(5)
    /// ```
    ///
    /// They belong to finders that begin at the class, and stand after the
    /// properties of all classes that a path leads to. A subclass inherits them,
    /// and adds to them with `super.finderOperators + […]`; a base class of
    /// yours gives them to all its subclasses. Asked once for each class, when
    /// the first of its finders is read.
    open class var finderOperators: [FinderOperator] { [] }

    /// Whether `delete()` lets the row stay and writes the time into its `deletedAt`.
    ///
    /// ```swift
    /// final class Note: PersistentObject {
    ///     override class var softDeletes: Bool { true }
    ///     var deletedAt: Date?
    /// }
    /// try note.delete()                                       // Note.all() is without it
    /// try note.restore()
    /// try note.deleteForever()                                // the row goes
    /// ```
    ///
    /// Everything that deletes does so: queries, finders, `deleteAll()`, and elements
    /// that leave a collection which owns them. What was deleted is left out
    /// wherever `defaultScope` counts, and found by `withDeleted`, `onlyDeleted`
    /// and `unscoped`; references and collections still lead to it, and it can
    /// be saved. Cascades are followed to objects of classes that delete softly;
    /// others stay as they are, since their rows still have what they refer to.
    /// Rules that deny count, but not for the sake of objects that are deleted
    /// themselves. If an object of another class is deleted, what its
    /// cascades lead to goes for good.
    ///
    /// The property is a `deletedAt: Date?` of your own. The whole hierarchy has
    /// what its topmost class says.
    open class var softDeletes: Bool { false }

    /// Whether the file keeps what the rows of the class were: an entry for each insert, update and deletion.
    ///
    /// ```swift
    /// override class var keepsHistory: Bool { true }
    ///
    /// for entry in try joe.history.all() { print(entry.change, entry.date, try entry.old(\Person.name) ?? "") }
    /// try joe.revert(to: yesterday)
    /// ```
    ///
    /// Triggers write the entries in the transaction of the change, also for
    /// changes by raw SQL and by other programs. An entry has the values of the
    /// columns that changed and the elements that collections gained, lost or
    /// changed. If a later version returns false, existing entries stay and no
    /// new entries are written. The topmost class of a hierarchy decides for all
    /// its subclasses. Existing tables and PostgreSQL do not support it.
    open class var keepsHistory: Bool { false }

    /// The store that objects of this class live in; nil for the default one.
    open class var store: Store? { nil }

    /// Whether `createdAt` and `updatedAt` are kept by the store, where the class has them as `Date` or `Date?`.
    ///
    /// An insert sets a `createdAt` that is nil or has its initial value, and
    /// leaves one that was set by you; with `var createdAt = Date()` it is the
    /// time at which the object was made. Each insert and update sets
    /// `updatedAt`. A class whose dates are its own says `false`.
    ///
    /// ```swift
    /// override class var timestamps: Bool { false }
    /// ```
    open class var timestamps: Bool { true }

    /// The property that counts the updates of each row: an `Int`. Nil, the default, for none.
    ///
    /// Each update counts it up, and is refused with `staleObject` where it is
    /// not what it was when the row was read: any change by others is a conflict
    /// then, not only one of the same properties. Other programs must count it
    /// up as well.
    ///
    /// ```swift
    /// var version = 0
    /// override class var versionProperty: AnyKeyPath? { \Person.version }
    /// ```
    open class var versionProperty: AnyKeyPath? { nil }

    /// Whether those who subscribe to events hear of what is done to objects of this class.
    ///
    /// ```swift
    /// override class var sendsEvents: Bool { false }
    /// ```
    ///
    /// Queries that are watched follow all the same.
    open class var sendsEvents: Bool { true }

    // In the class itself, since methods of extensions cannot be overridden.

    /// Says what is wrong with the object; override it. A save asks all its new and changed objects, and is refused
    /// where one has problems: all are reported at once, in a `StoreError` with the code `invalid`.
    ///
    /// ```swift
    /// override func validate(_ problems: inout Problems) {
    ///     problems.require(!lastName.isEmpty, \Person.lastName, "must not be empty")
    /// }
    /// ```
    ///
    /// Of an object that has a row only problems of properties that have changed
    /// count, and those of no property. It may find objects; it must not save
    /// or delete. What it changes of its object is saved as well.
    open func validate(_ problems: inout Problems) {}

    /// Called before the object is inserted or updated, before `validate`; override it. An error that it throws is the
    /// save's, and nothing is written.
    ///
    /// It may change the object and others: those that the save leads to are
    /// saved as well, and get their own hooks. It may find; it must not save or
    /// delete.
    ///
    /// ```swift
    /// override func willSave() throws { fullName = "\(firstName) \(lastName)" }
    /// ```
    open func willSave() throws {}

    /// Called after `willSave` before an object gets its row; see there.
    open func willInsert() throws {}

    /// Called after `willSave` before the row of a changed object is updated; see there.
    open func willUpdate() throws {}

    /// Called before the object's row is deleted, by whichever call or rule; override it. An error that it throws is the
    /// deletion's, and nothing is deleted.
    ///
    /// Only objects in memory are asked: rows that a query or a rule deletes are
    /// not read for it. What it changes is not saved.
    open func willDelete() throws {}

    /// Called after the commit that inserted the object's row; override it.
    open func didInsert() {}

    /// Called after a commit that updated the object's row; override it.
    open func didUpdate() {}

    /// Called after `didInsert` or `didUpdate`; override it.
    open func didSave() {}

    /// Called after the commit that deleted the object's row; override it.
    open func didDelete() {}

    /// Called after the commit that inserted, updated or deleted the object's row, when `didSave` or `didDelete` was;
    /// override it. Once for each transaction, whatever was done in it.
    open func didCommit() {}

    /// Called when a save or a deletion of the object was taken back, since the transaction that it was in was rolled
    /// back; override it. The object is then what it was before.
    ///
    /// Once for each transaction: for what an inner one has saved or deleted when
    /// that is rolled back, for all the rest when the outermost one is. A save
    /// that fails says so by its error; this is for those that had succeeded.
    ///
    /// ```swift
    /// override func willSave() throws { cache[name] = self }
    /// override func didRollback() { cache = [:] }
    /// ```
    open func didRollback() {}

    /// Called after a row was read into this new object, when all that it refers to is there; override it.
    ///
    /// Not when a row is read again. What it changes of stored properties is an
    /// unsaved edit.
    open func didLoad() {}
}

@available(*, unavailable, message: "Objects stay in one isolation domain. Pass a PersistentID instead")
extension PersistentObject: Sendable {}
