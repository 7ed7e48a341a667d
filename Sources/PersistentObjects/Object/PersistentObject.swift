// Object: the common part of all objects of user classes: id, boxes, hooks. It reaches its session only through its
// keeper, and must not depend on stores.

/// The base class of stored objects: subclass it, declare plain `var`s, and save.
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
/// Each stored `var` becomes a column of the table `person`. A row is in memory once per session: every fetch of the
/// row returns the same instance. An object, like the session it belongs to, is used in one isolation domain; a
/// `PersistentID` crosses to other domains.
///
/// Stored: numbers, `Bool`, `String`, `Substring`, `Character`, `URL`, `Decimal`, `Data`, `[UInt8]`, `UUID`, `Date`,
/// enumerations with raw values, other `Codable` values, your types that conform to `PersistentValue`, and optionals of
/// all of these; references to objects, optional or `weak`; arrays, sets and dictionaries of values or objects, each in
/// a separate table; the other side of references by `@Inverse`. Not stored: `let`, computed and `lazy` properties, and
/// properties marked `@Transient`.
///
/// A subclass shares the table of its superclass, and a find on the superclass returns its objects, too.
nonisolated open class PersistentObject: Persistent {
    /// The library's state of the object, first in its memory.
    final var header = ObjectHeader()

    /// Creates a new object, which has no row until it is saved.
    public required init() {}

    // The order matters: the edits are read while the fields still exist, the object leaves the map before its memory
    // is freed, and the references are moved out before the fields are destroyed. The compiler destroys the fields of
    // subclasses after this body; tests verify that.
    deinit {
        if !ObjectMemory.notifyKeeperOfEnd(of: self) {
            ReleasePlan.plan(of: type(of: self)).moveReferences(outOf: ObjectMemory.start(of: self))
        }
    }

    /// The id of the object's row; nil until the object is saved, and never reused after it is deleted.
    public final var id: Int64? { lifecycle == .new ? nil : rowID }

    /// The name of the table.
    ///
    /// By default it is the name of the class in snake case; a subclass shares the table of its topmost class.
    /// `PersistablePerson` is stored in `persistable_person`, and so are the objects of its subclasses. Private, local
    /// and generic classes must override it, because their names are not unique.
    ///
    /// ```swift
    /// override class var tableName: String { "people" }
    /// ```
    open class var tableName: String { TableNaming.defaultName(of: self) }

    /// Names that the table had in earlier versions; a table found by such a name is renamed.
    open class var formerTableNames: [String] { [] }

    /// Former names of the class, for hierarchies, whose rows store their class, and for sync.
    ///
    /// Rows with a former name become rows of the class when it is next used. Devices exchange the objects of a synced
    /// class under the first of these names, so declare the oldest name first, and keep it.
    ///
    /// ```swift
    /// override class var formerNames: [String] { ["Worker"] }
    /// ```
    open class var formerNames: [String] { [] }

    /// Conversions of values from earlier versions of the class, if only you know their meaning.
    ///
    /// See ``PropertyConversion``.
    open class var conversions: [PropertyConversion] { [] }

    /// The origin of the table: created and changed by the library with the class, or already existing.
    ///
    /// ```swift
    /// final class Artist: PersistentObject {
    ///     override class var tableName: String { "Artist" }
    ///     override class var origin: TableOrigin { .existing }
    ///     @Column("Name") var name: String?
    /// }
    /// ```
    ///
    /// An existing table is never created, altered or added to. All differences are reported at the first use in one
    /// `SchemaError.tableDiffers`. Such a class cannot have collections, subclasses, keys of `identity`, search, or
    /// soft deletion; its `Date`s are strings unless `@Column(_:format:)` declares another format.
    open class var origin: TableOrigin { .own }

    /// The properties whose columns identify a row, in a class over an existing table.
    ///
    /// References to the class store these columns, and `find(key:)` takes their values. The default is empty, for a
    /// table with an `INTEGER PRIMARY KEY`, which is the `id`.
    ///
    /// ```swift
    /// override class var primaryKey: [AnyKeyPath] { [\OrderDetail.order, \OrderDetail.product] }
    /// ```
    ///
    /// The columns must be the table's primary key or have a unique index.
    open class var primaryKey: [AnyKeyPath] { [] }

    /// How columns without an explicit name are named; only for classes with `origin: .existing`.
    ///
    /// `.verbatim` saves declaring a `@Column` for each property of a table whose columns are named like the
    /// properties. A reference and the fields of an embedded value still need explicit column names.
    ///
    /// ```swift
    /// override class var columnNaming: ColumnNaming { .verbatim }     // var unitPrice: the column unitPrice
    /// ```
    open class var columnNaming: ColumnNaming { .snakeCase }

    /// Whether the objects are read-only, for example the objects of a view.
    ///
    /// Saving a new or changed object, or deleting an object, throws a `StoreError` with the code `readOnly`. The
    /// topmost class of a hierarchy decides for all its subclasses.
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

    /// Properties in which `search` finds words: the `@Searchable` of classes that are `@Observable`.
    ///
    /// ```swift
    /// override class var searchable: [AnyKeyPath] { [\Note.title, \Note.text] }
    /// ```
    open class var searchable: [AnyKeyPath] { [] }

    /// Column names by property: the `@Column` of classes that are `@Observable` and cannot use it.
    ///
    /// Declare a name if it is not the property's name in snake case.
    open class var columns: [String: String] { [:] }

    /// Names that the columns of properties had in earlier versions, by property.
    ///
    /// A column found by such a name is renamed. This is the `@Column(_:renamedFrom:)` of classes that are
    /// `@Observable`.
    ///
    /// ```swift
    /// override class var formerColumns: [String: [String]] { ["nick": ["nickname"]] }
    /// ```
    open class var formerColumns: [String: [String]] { [:] }

    /// Properties that are not stored: the `@Transient` of classes that are `@Observable`.
    open class var transient: Set<String> { [] }

    /// Properties whose fields are separate columns: the `@Embedded` of classes that are `@Observable`.
    ///
    /// ```swift
    /// override class var embedded: Set<String> { ["address"] }
    /// ```
    open class var embedded: Set<String> { [] }

    /// Whether the objects have keys in addition to their ids: UUIDs, or strings that you assign.
    ///
    /// Ids are numbers that one file assigns; a key identifies an object in every file. The key is a property like any
    /// other, `key`, and is unique. A new object without a key gets a UUID when it is saved, which reveals its creation
    /// time. The topmost class of a hierarchy decides for all its subclasses.
    ///
    /// ```swift
    /// override class var identity: Identity { .uuid }
    /// ```
    open class var identity: Identity { .integer }

    /// Delete rules by property: the `@OnDelete` of classes that are `@Observable`.
    open class var deleteRules: [String: DeleteRule] { [:] }

    /// Whether the class has no table.
    ///
    /// Each of its subclasses then has its own table, although it inherits the `true`.
    open class var isAbstract: Bool { false }

    /// The condition that objects must meet to be found by default; initially no condition.
    ///
    /// ```swift
    /// final class Article: PersistentObject {
    ///     var isDraft = false
    ///     override class var defaultScope: Condition { Article.condition { !$0.isDraft } }
    /// }
    /// let all = try Article.unscoped.all()                    // including drafts
    /// ```
    ///
    /// It applies to queries, all finders, `all()`, `first()`, `count()`, `deleteAll()`, and the changes and deletions
    /// of a query. It does not apply to `find(_:)` by an id or key, nor to objects reached through references,
    /// collections and inverses. It is evaluated for each query, so it may depend on the current moment. A subclass
    /// inherits it, and adds to it with `super.defaultScope && …`; the scope of the queried class applies. If it
    /// contains a query of the class itself, that query must begin with `unscoped`.
    open class var defaultScope: Condition { .none }

    /// Operators for finder names of the class, in addition to the built-in ones; empty by default.
    ///
    /// ```swift
    /// override class var finderOperators: [FinderOperator] {
    ///     [FinderOperator("LongerThan") { (text: Term<String, String?>, count: Int) in text.count > count }]
    /// }
    /// let people = try Person.findByLastNameLongerThan(5)
    /// ```
    ///
    /// They are available in finders that begin at the class, after the properties of all classes that a path leads to.
    /// A subclass inherits them, and adds to them with `super.finderOperators + […]`; your base class gives them to all
    /// its subclasses. The property is evaluated once for each class, when the first of its finders is parsed.
    open class var finderOperators: [FinderOperator] { [] }

    /// Whether `delete()` keeps the row and writes the time into its `deletedAt`.
    ///
    /// ```swift
    /// final class Note: PersistentObject {
    ///     override class var softDeletes: Bool { true }
    ///     var deletedAt: Date?
    /// }
    /// try note.delete()                                       // Note.all() leaves it out
    /// try note.restore()
    /// try note.deleteForever()                                // deletes the row
    /// ```
    ///
    /// All deletions do this: queries, finders, `deleteAll()`, and elements that are removed from a collection that
    /// owns them. Deleted objects are excluded wherever `defaultScope` applies, and found by `withDeleted`,
    /// `onlyDeleted` and `unscoped`. References and collections still lead to them, and they can be saved. Cascades
    /// apply to objects of classes that delete softly; other objects are unchanged, because their rows still have the
    /// objects they refer to. Rules that deny apply, except for links from objects that are themselves deleted. If an
    /// object of a class without soft deletion is deleted, its cascades delete permanently.
    ///
    /// The class declares the property `deletedAt: Date?`. The topmost class of a hierarchy decides for all its
    /// subclasses.
    open class var softDeletes: Bool { false }

    /// Whether the file keeps a history of the rows: an entry for each insert, update and deletion.
    ///
    /// ```swift
    /// override class var keepsHistory: Bool { true }
    ///
    /// for entry in try joe.history.all() { print(entry.change, entry.date, try entry.old(\Person.name) ?? "") }
    /// try joe.revert(to: yesterday)
    /// ```
    ///
    /// Triggers write the entries in the transaction of the change, also for changes by raw SQL and by other programs.
    /// An entry has the values of the columns that changed and the elements that collections gained, lost or changed.
    /// If a later version returns false, existing entries stay and no new entries are written. The topmost class of a
    /// hierarchy decides for all its subclasses. Existing tables do not support it.
    open class var keepsHistory: Bool { false }

    /// Whether the file records which objects, properties and elements change, for sync.
    ///
    /// ```swift
    /// override class var identity: Identity { .uuid }
    /// override class var isSynced: Bool { true }
    /// ```
    ///
    /// Triggers record that a value changed, not the values, in the transaction of the change, also for changes by raw
    /// SQL and by other programs. The class needs keys, `.uuid` or `.string`, and all classes that its references and
    /// collections lead to must be synced as well. If a later version returns false, the first use of the class throws,
    /// because it would lose the recorded changes: run the class's schema plan to consent. The topmost class of a
    /// hierarchy decides for all its subclasses. Existing tables and PostgreSQL do not support it.
    open class var isSynced: Bool { false }

    /// Whether an edit wins against another device's deletion that did not see it; false by default.
    ///
    /// ```swift
    /// override class var isSynced: Bool { true }
    /// override class var keepsEdited: Bool { true }
    /// ```
    ///
    /// If false, the deletion wins. If true, the object returns with the edit, on all devices. The classes of the
    /// objects that it owns must declare it, too: the first use of the class throws `SchemaError.notSyncable`
    /// otherwise. The topmost class of a hierarchy decides for all its subclasses.
    open class var keepsEdited: Bool { false }

    /// Merge rules by property: the `@Merged` of classes that are `@Observable`.
    ///
    /// ```swift
    /// override class var mergeRules: [String: MergeRule] { ["stars": .counter] }
    /// ```
    open class var mergeRules: [String: MergeRule] { [:] }

    /// The store of the class's objects; nil for the default store.
    open class var store: Store? { nil }

    /// Whether the store maintains `createdAt` and `updatedAt` that are declared as `Date` or `Date?`.
    ///
    /// An insert sets a `createdAt` that is nil or has its initial value, and keeps a value that you set; with
    /// `var createdAt = Date()` it is the time at which the object was created. Each insert and update sets
    /// `updatedAt`. Return `false` if the class maintains these dates itself.
    ///
    /// ```swift
    /// override class var timestamps: Bool { false }
    /// ```
    open class var timestamps: Bool { true }

    /// The `Int` property that counts the updates of each row; nil, the default, for none.
    ///
    /// Each save that updates an object increments it, and so does `update` of a query. A save throws `staleObject` if
    /// any value in the database differs from the value that was read: each change elsewhere is then a conflict, not only
    /// a change of the same properties. Other programs should increment it as well.
    ///
    /// ```swift
    /// var version = 0
    /// override class var versionProperty: AnyKeyPath? { \Person.version }
    /// ```
    open class var versionProperty: AnyKeyPath? { nil }

    /// Whether event subscribers receive changes to objects of this class.
    ///
    /// ```swift
    /// override class var sendsEvents: Bool { false }
    /// ```
    ///
    /// Watched queries are updated in any case.
    open class var sendsEvents: Bool { true }

    // The hooks are in the class itself, because methods of extensions cannot be overridden.

    /// Reports problems of the object; override it.
    ///
    /// A save calls it for all new and changed objects, and fails if any of them has problems. All problems are
    /// reported at once, in a `StoreError` with the code `invalid`.
    ///
    /// ```swift
    /// override func validate(_ problems: inout Problems) {
    ///     problems.require(!lastName.isEmpty, \Person.lastName, "must not be empty")
    /// }
    /// ```
    ///
    /// If the object has a row, only problems of changed properties count, and problems without a property. The method
    /// may find objects; it must not save or delete. Its changes to the object are saved as well.
    open func validate(_ problems: inout Problems) {}

    /// Called before the object is inserted or updated, and before `validate`; override it.
    ///
    /// The save rethrows an error of this method, and nothing is written.
    ///
    /// It may change the object and other objects: objects that the save reaches are saved as well, and their hooks are
    /// called. It may find objects; it must not save or delete.
    ///
    /// ```swift
    /// override func willSave() throws { fullName = "\(firstName) \(lastName)" }
    /// ```
    open func willSave() throws {}

    /// Called after `willSave` before the object's row is inserted; see `willSave`.
    open func willInsert() throws {}

    /// Called after `willSave` before the row of a changed object is updated; see `willSave`.
    open func willUpdate() throws {}

    /// Called before the object's row is deleted, also softly, by any call or rule; override it.
    ///
    /// The deletion rethrows an error of this method, and nothing is deleted.
    ///
    /// It is called only for objects in memory: rows that a query or a rule deletes are not read for it. Its changes
    /// are not saved.
    open func willDelete() throws {}

    /// Called after the commit that inserted the object's row; override it.
    open func didInsert() {}

    /// Called after a commit that updated the object's row; override it.
    open func didUpdate() {}

    /// Called after `didInsert` or `didUpdate`; override it.
    open func didSave() {}

    /// Called after the commit that deleted the object's row, also softly; override it.
    open func didDelete() {}

    /// Called after the commit that inserted, updated or deleted the object's row; override it.
    ///
    /// It is called after `didSave` or `didDelete`, once for each transaction, regardless of the number of changes.
    open func didCommit() {}

    /// Called if a save or a deletion of the object was rolled back with its transaction; override it.
    ///
    /// The object is then restored to its earlier state.
    ///
    /// It is called once for each transaction. If a nested transaction is rolled back, it is called for the saves and
    /// deletions of that transaction. If the outermost transaction is rolled back, it is called for all remaining saves
    /// and deletions. A save that fails throws instead; this method is for saves that had succeeded.
    ///
    /// ```swift
    /// override func willSave() throws { cache[name] = self }
    /// override func didRollback() { cache = [:] }
    /// ```
    open func didRollback() {}

    /// Called after a row was read into this new object, when all objects it refers to exist; override it.
    ///
    /// It is not called when a row is read again. Its changes to stored properties are unsaved edits.
    open func didLoad() {}
}

@available(*, unavailable, message: "Objects stay in one isolation domain. Pass a PersistentID instead")
extension PersistentObject: Sendable {}
