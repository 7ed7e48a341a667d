public import Foundation
public import StoreEngine

/// The reason that a class cannot be stored, or that its table cannot be changed to match it.
public enum SchemaError: Error, Sendable, Equatable {
    /// The class was compiled without field metadata or field names, so its properties are not visible.
    case metadataCompiledAway(className: String)
    /// A stored property has a type that cannot be stored.
    case notStorable(className: String, property: String, type: String, reason: String)
    /// Several properties use the same column.
    case duplicateColumn(className: String, column: String, properties: [String])
    /// A class with keys declares its own property `key`.
    case keyNameTaken(className: String)
    /// The `identity` of a subclass differs from the class whose table it shares.
    case identityDiffers(className: String, root: String)
    /// A class with soft deletion has no stored property `deletedAt: Date?` in its topmost class.
    case needsDeletedAt(className: String, root: String)
    /// The `softDeletes` of a subclass differs from the class whose table it shares.
    case softDeletesDiffer(className: String, root: String)
    /// The `keepsHistory` of a subclass differs from the class whose table it shares.
    case historyDiffers(className: String, root: String)
    /// The `isSynced` of a subclass differs from the class whose table it shares.
    case syncDiffers(className: String, root: String)
    /// A class that declares `isSynced` cannot be synced.
    ///
    /// `property` is the reference or collection that prevents it; nil if the class does.
    case notSyncable(className: String, property: String?, reason: String)
    /// A subclass overrides `tableName` with a name that differs from the table it shares.
    case tableNameDiffers(className: String, root: String)
    /// SQLite does not accept a name.
    case invalidName(className: String, name: String, reason: String)
    /// The class's name cannot be the name of its table.
    case needsTableName(className: String, reason: String)
    /// Two classes, a class and a collection, or two collections use the same table.
    case duplicateTable(table: String, classNames: [String])
    /// Two classes of one hierarchy have the same name, so their rows would be indistinguishable.
    case duplicateClassName(name: String, classNames: [String])
    /// `indexes`, `columns`, `transient` or `searchable` names a property that is not stored.
    case unknownProperty(className: String, property: String, place: String)
    /// An index of `indexes` with a condition, or over an expression, cannot be created.
    case notIndexable(className: String, reason: String)
    /// A property that is declared searchable cannot be searched for words.
    case notSearchable(className: String, property: String, reason: String)
    /// An inverse's key path is neither a stored reference to the class nor a stored collection of it.
    case unknownInverse(className: String, property: String, path: String, reason: String)
    /// The condition of an inverse is not supported.
    case notFilterable(className: String, property: String, reason: String)
    /// A key path in the order of an inverse is not a property that its objects can be sorted by.
    case notOrderable(className: String, property: String, path: String, reason: String)
    /// The class is abstract, or `PersistentObject` itself.
    case isAbstract(className: String)
    /// The class's `init()` uses the store.
    case usedWhileMapped(className: String)
    /// A property's initial value cannot be stored, so a new column cannot be filled with it.
    case invalidDefault(className: String, property: String, reason: String)
    /// The column's type in the table differs from the type of the property.
    case columnTypeDiffers(className: String, property: String, column: String, found: String, wanted: ColumnType)
    /// The column stores ids of another table than the table of the property's class.
    case referenceDiffers(className: String, property: String, column: String, found: String, wanted: String)
    /// The table of the class, or of a collection, is a view, or its columns do not fit.
    case unsuitableTable(className: String, table: String, reason: String)
    /// Existing rows have equal values that the class declares as unique.
    ///
    /// `rows` lists up to ten groups of rows, with the values if the configuration shows values.
    case notUnique(className: String, index: String, rows: [String])
    /// A stored value has no exact representation in the property's type.
    ///
    /// `value` is nil unless the configuration shows values.
    case notConvertible(
        className: String, property: String, rowID: Int64, value: String?, type: String, reason: String)
    /// Rows have nil in a required property without an initial value to replace it: up to ten ids.
    case nilInRequired(className: String, property: String, rowIDs: [Int64])
    /// Rows refer to objects that do not exist: up to ten ids.
    case danglingReference(className: String, property: String, rowIDs: [Int64])
    /// The class became, or stopped being, a subclass, and its rows cannot be moved to its new table.
    case notMovable(className: String, table: String, reason: String)
    /// The file differs from the classes, and the configuration does not allow changing it.
    case changesRefused(className: String, changes: [String])
    /// The file's tables belong to a newer version of the class, which the program cannot use as they are.
    ///
    /// `own` and `file` describe when and by which program each version was written to the file.
    case olderVersion(className: String, changes: [String], own: String, file: String)
    /// The file changed after the plan was computed.
    case planOutdated(className: String)
    /// A step of `migrate` that the file recorded differs from the program's step.
    case migrationChanged(name: String, reason: String)
    /// A step of `migrate` that must run before a class is used was registered too late.
    case migrationTooLate(name: String, className: String)
    /// The class does not match its existing table, or uses features that such a class cannot have.
    ///
    /// All differences are reported at once.
    case tableDiffers(className: String, table: String, differences: [String])
    /// A new unique property would give all existing rows the same value.
    case equalInitialValues(className: String, property: String)
    /// The `renamedFrom` declarations of properties would exchange their columns.
    case renamedInCircle(className: String, properties: [String])
    /// A class no longer encrypts properties, so their values would be stored without encryption.
    case exposesValues(className: String, changes: [String])
    /// A class is no longer synced, so its recorded changes would be dropped.
    case endsSync(className: String, changes: [String])
    /// Encrypted values cannot be moved to another key, class or property, or to another form.
    case boundByEncryption(className: String, property: String, reason: String)
    /// A declared change of a property, a new name or a conversion, cannot be made.
    case unsupportedChange(className: String, property: String, reason: String)
}

extension SchemaError: CustomStringConvertible {
    /// One line with the problem and what to write instead.
    public var description: String {
        switch self {
        case .metadataCompiledAway(let name):
            "\(name): The stored properties cannot be read, because the module was compiled without reflection "
                + "metadata. Remove -disable-reflection-metadata, -disable-reflection-names or "
                + "-reflection-metadata-for-debugger-only from its flags"
        case .notStorable(let name, let property, let type, let reason):
            "\(name).\(property): \(type) cannot be stored: \(reason)"
        case .duplicateColumn(let name, let column, let properties):
            "\(name): \(properties.joined(separator: " and ")) would have the same column \"\(column)\". Name one "
                + "of them with @Column(\"…\")"
        case .keyNameTaken(let name):
            "\(name): Objects with keys already have a property key. Rename the property that the class declares"
        case .identityDiffers(let name, let root):
            "\(name): identity differs from that of \(root), whose table it shares. Override identity in \(root) only"
        case .needsDeletedAt(let name, let root):
            "\(name): A class with softDeletes needs a property for the time. Write var deletedAt: Date? in "
                + "\(root), or remove softDeletes"
        case .softDeletesDiffer(let name, let root):
            "\(name): softDeletes differs from that of \(root), whose table it shares. Override it in \(root) only"
        case .historyDiffers(let name, let root):
            "\(name): keepsHistory differs from that of \(root), whose table it shares. Override it in \(root) only"
        case .syncDiffers(let name, let root):
            "\(name): isSynced differs from that of \(root), whose table it shares. Override it in \(root) only"
        case .notSyncable(let name, let property, let reason):
            "\(name)\(property.map { ".\($0)" } ?? ""): The class cannot be synced: \(reason)"
        case .tableNameDiffers(let name, let root):
            "\(name): tableName differs from that of \(root), whose table it shares. Override it in \(root) only, "
                + "or declare override class var isAbstract: Bool { true } in \(root), so that each subclass has its "
                + "own table"
        case .invalidName(let name, let bad, let reason):
            "\(name): \"\(bad)\" cannot be a name: \(reason)"
        case .needsTableName(let name, let reason):
            "\(name): \(reason). Write override class var tableName: String { \"…\" }"
        case .duplicateTable(let table, let names):
            "\(names.joined(separator: " and ")) would both be stored in table \"\(table)\". Override tableName "
                + "in one of them"
        case .duplicateClassName(let name, let names):
            "\(names.joined(separator: " and ")) share a table, in which the rows of both have class \"\(name)\". "
                + "Rename one of them"
        case .unknownProperty(let name, let property, let place):
            "\(name): class var \(place) names \(property), which is not a stored property"
        case .notIndexable(let name, let reason):
            "\(name): An index cannot be created: \(reason)"
        case .notSearchable(let name, let property, let reason):
            "\(name).\(property) cannot be searched: \(reason)"
        case .unknownInverse(let name, let property, let path, let reason):
            "\(name).\(property): \(path) \(reason). An inverse needs a stored reference to \(name), or a stored "
                + "collection of them"
        case .notFilterable(let name, let property, let reason):
            "\(name).\(property): The condition of the inverse is not supported: \(reason)"
        case .notOrderable(let name, let property, let path, let reason):
            "\(name).\(property): order: \(path) \(reason). Name a stored property that is not lazy"
        case .isAbstract(let name):
            "\(name) is abstract and has no table. Use one of its subclasses"
        case .usedWhileMapped(let name):
            "\(name): The class's init() or a getter uses the store while the class is being examined. An "
                + "initializer must not save or find"
        case .invalidDefault(let name, let property, let reason):
            "\(name).\(property): The initial value cannot be stored: \(reason)"
        case .columnTypeDiffers(let name, let property, let column, let found, let wanted):
            "\(name).\(property): Column \"\(column)\" in the file is \(found), but the property needs "
                + "\(wanted.rawValue). Nothing was changed. Give the property a separate column with @Column(\"…\")"
        case .referenceDiffers(let name, let property, let column, let found, let wanted):
            "\(name).\(property): Column \"\(column)\" in the file has ids of table \"\(found)\", but the "
                + "property needs ids of table \"\(wanted)\". Nothing was changed. Give the property a separate column "
                + "with @Column(\"…\")"
        case .unsuitableTable(let name, let table, let reason):
            "\(name): Table \"\(table)\" in the file \(reason). Nothing was changed. Override tableName, or for a "
                + "collection give the property another name with @Column(\"…\")"
        case .tableDiffers(let name, let table, let differences):
            "\(name): The class does not fit table \"\(table)\" in the file. \(differences.joined(separator: ". "))"
        case .notUnique(let name, let index, let rows):
            "\(name): Rows in the file have equal values, so the unique index \"\(index)\" cannot be created. "
                + "Nothing was changed. Fix the rows first\(rows.isEmpty ? "" : ": \(rows.joined(separator: "; "))")"
        case .notConvertible(let name, let property, let id, let value, let type, let reason):
            "\(name).\(property): The value of row \(id)\(value.map { ", \($0)," } ?? "") cannot be converted to "
                + "\(type): \(reason). Nothing was changed. Fix the row, or declare a conversion in class var "
                + "conversions"
        case .nilInRequired(let name, let property, let ids):
            "\(name).\(property): The value is nil in \(SchemaError.rows(ids)), and a new object has no value that "
                + "could replace it. Nothing was changed. Fix the rows, or make the property optional"
        case .danglingReference(let name, let property, let ids):
            "\(name).\(property): The reference in \(SchemaError.rows(ids)) leads to no object. Nothing was "
                + "changed. Fix the rows first"
        case .notMovable(let name, let table, let reason):
            "\(name): The rows cannot be moved from table \"\(table)\" to the class's present table, so nothing "
                + "was changed: \(reason)"
        case .changesRefused(let name, let changes):
            "\(name): The file does not match the class, and the configuration refuses to change it. Nothing was "
                + "changed. Required changes: \(changes.joined(separator: "; "))"
        case .olderVersion(let name, let changes, let own, let file):
            "\(name): This program has an older version of the class (\(own)) than the file (\(file)), and would "
                + "undo these changes: \(changes.joined(separator: "; ")). Nothing was changed. Use the newer program. "
                + SchemaError.wayBack(name)
        case .planOutdated(let name):
            "\(name): The file changed after the plan was made. Make a new plan"
        case .migrationChanged(let name, let reason): "Migration \"\(name)\" \(reason)"
        case .migrationTooLate(let name, let className):
            "Migration \"\(name)\" must run before \(className) is first used, but \(className) is already in "
                + "use. Call migrate right after opening the store"
        case .equalInitialValues(let name, let property):
            "\(name).\(property): All rows in the file would get the same initial value, but the property is "
                + "unique. Make it optional, or give it an initial value that differs from object to object, as UUID() "
                + "does"
        case .exposesValues(let name, let changes):
            "\(name): The change would store encrypted values without encryption: "
                + "\(changes.joined(separator: "; ")). Nothing was changed. If that is intended, call "
                + "store.run(store.schemaPlan(for: \(name).self)) once"
        case .endsSync(let name, let changes):
            "\(name): isSynced was removed, so changes would no longer be recorded and these records would be lost: "
                + "\(changes.joined(separator: "; ")). Nothing was changed. If that is intended, call "
                + "store.run(store.schemaPlan(for: \(name).self)) once"
        case .boundByEncryption(let name, let property, let reason):
            "\(name).\(property): The values are encrypted for their class and key, so \(reason). Nothing was "
                + "changed. Remove @Encrypted first, make the change, and add @Encrypted again"
        case .unsupportedChange(let name, let property, let reason): "\(name).\(property): \(reason)"
        case .renamedInCircle(let name, let properties):
            "\(name): \(properties.joined(separator: " and ")) exchange their former columns, and the file does "
                + "not show whether they were already renamed. Give one of them a new column name"
        }
    }

    /// The words for rows, by their ids.
    static func rows(_ ids: [Int64]) -> String {
        "row\(ids.count == 1 ? "" : "s") \(ids.map(String.init).joined(separator: ", "))"
    }

    /// The advice for the case that a change of a class was reverted.
    static func wayBack(_ className: String) -> String {
        "If you reverted the change on purpose, call store.run(store.schemaPlan(for: \(className).self)) once"
    }
}

extension SchemaError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
