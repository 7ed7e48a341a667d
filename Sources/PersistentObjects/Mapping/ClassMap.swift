// Mapping: a class's properties, columns, links, keys and rules. This layer examines classes at run time. It must not
// know stores or SQL.

@_spi(Locks) internal import StoreEngine

/// The description of a class: its table, its properties, their memory locations, and how they are stored.
///
/// A map is created once per class, is immutable, and is shared by all sessions.
package final class ClassMap: @unchecked Sendable {  // immutable
    package let type: PersistentObject.Type
    /// The class's name, for messages.
    package let name: String
    package let table: String
    let formerTables: [String]
    /// The class that owns the table: a hierarchy shares its root's table.
    package let root: PersistentObject.Type
    /// The stored properties: first the properties that are selected with a row, then other columns, then properties
    /// without columns. In each part, superclass properties are first.
    package let properties: [Property]
    /// The number of properties that are selected with a row.
    let selectedCount: Int
    /// The number of properties with columns.
    let columnCount: Int
    /// The properties with columns, for hot loops.
    let fields: FixedBuffer<FieldPlan>
    /// The locations of links and boxes.
    let links: LinkPlan
    let indexes: [IndexDefinition]
    /// Partial indexes, and indexes over expressions.
    let declaredIndexes: [DeclaredIndex]
    /// The columns that are searched for words.
    let searchColumns: [String]
    /// The ordinals of properties in unique indexes.
    let uniqueOrdinals: Set<Int>
    /// The ordinal of the key, in classes with keys.
    package let keyOrdinal: Int?
    /// The ordinal of `deletedAt`, in classes with soft deletion.
    let softDeleteOrdinal: Int?
    /// The ordinals of the encrypted properties.
    let sealedOrdinals: [Int]
    /// The level of the root: columns of subclasses may be NULL in its table.
    let rootLevel: Int
    let baseline: BaselineLayout
    let releasePlan: ReleasePlan
    let scratch: ScratchObject
    /// The default value of each property's new column; nil if the initial value cannot be stored.
    let defaults: [DefaultValue?]
    /// The hooks that the class overrides.
    let hooks: HookSet
    /// Whether event subscribers receive changes to the objects.
    let sendsEvents: Bool
    /// The dates that the store maintains; nil if there are none.
    let timestamps: TimestampPlan?
    /// The specifics of a class over an existing table; nil for all other classes.
    let foreign: ForeignTable?
    /// Whether its objects are read-only.
    let isReadOnly: Bool
    /// Whether triggers record a history of its rows.
    let keepsHistory: Bool
    /// Whether triggers capture its changes for sync.
    let isSynced: Bool
    /// Whether users may assign the ids of new objects.
    package let takesGivenIDs: Bool
    /// Whether saving one object needs no plan. (Stored, like the following properties.)
    let isSavedAlone: Bool
    /// Whether saving a changed object is only an update of its row. (Stored, because it is read for each object.)
    let isUpdatedAlone: Bool
    /// The properties that a save rounds to the precision of their columns.
    let roundedOrdinals: [Int]
    /// The properties whose values a save keeps while it writes, because it runs user code that may edit them; empty if
    /// the save runs no user code.
    let editableInSave: ColumnSet
    /// Whether reading a row needs no follow-up work.
    let isReadAlone: Bool
    /// How observers of the objects are notified; nil for a class that is not `Observable`.
    let observed: ObservedClass?
    /// Properties that are not stored and can be observed.
    let observedOnly: [Property]
    /// The properties whose fields are separate properties.
    let embedded: [EmbeddedValue]
    private let ordinals: [String: Int]

    /// The value of a property in a new object.
    struct DefaultValue: Sendable {
        let value: DatabaseValue
        /// Whether it is the same in every new object (`Date()` and `UUID()` are not).
        let isConstant: Bool
    }

    /// - Parameter name: The name of a class that `type` represents; nil if it is the name of `type`.
    init(
        type: PersistentObject.Type, root: PersistentObject.Type, name: String? = nil, table: String,
        properties: [Property], indexes: [IndexDefinition], declaredIndexes: [DeclaredIndex] = [],
        searchColumns: [String] = [],
        scratch: ScratchObject, defaults: [DefaultValue?],
        foreign: ForeignTable? = nil, observed: ObservedClass? = nil, observedOnly: [Property] = []
    ) {
        self.type = type
        self.root = root
        // The file identifies classes by their names, and a user's class can have the same name as a library class.
        self.name = name ?? HistoryNames.className(of: table) ?? String(describing: type)
        self.table = table
        formerTables = root.formerTableNames
        self.properties = properties
        selectedCount = properties.count(where: \.isSelected)
        columnCount = properties.count(where: \.hasColumn)
        fields = FixedBuffer(properties.filter(\.hasColumn).map { FieldPlan($0) })
        baseline = BaselineLayout(properties, isObserved: observed != nil)
        links = LinkPlan(properties, baseline)
        self.indexes = indexes
        self.declaredIndexes = declaredIndexes
        self.searchColumns = searchColumns
        let unique = Set(
            indexes.filter(\.isUnique).flatMap(\.columns) + declaredIndexes.filter(\.isUnique).flatMap(\.columns))
        keyOrdinal = properties.firstIndex(where: \.isKey)
        softDeleteOrdinal = type.softDeletes ? properties.firstIndex { $0.name == SoftDeletes.property } : nil
        sealedOrdinals = properties.indices.filter { properties[$0].sealing != nil }
        uniqueOrdinals = Set(
            properties.indices.filter { properties[$0].hasColumn && unique.contains(properties[$0].column) })
        var level = -1
        var next: AnyClass? = root
        while let aClass: AnyClass = next, aClass != PersistentObject.self {
            level += 1
            next = _getSuperclass(aClass)
        }
        rootLevel = level
        self.scratch = scratch
        self.defaults = defaults
        hooks = MethodTable.overrides(of: type)
        sendsEvents = type.sendsEvents
        timestamps = TimestampPlan(type, properties, defaults)
        self.foreign = foreign
        isReadOnly = root.isReadOnly
        keepsHistory = root.keepsHistory
        isSynced = root.isSynced
        takesGivenIDs = type.identity == .given
        roundedOrdinals = properties.indices.filter { properties[$0].hasColumn && properties[$0].codec.isRounded }
        isSavedAlone =
            keyOrdinal == nil && foreign == nil && !isReadOnly && !takesGivenIDs && roundedOrdinals.isEmpty
        isUpdatedAlone =
            foreign == nil && !isReadOnly && links.isEmpty && hooks.isDisjoint(with: .beforeSave)
            && timestamps?.updated == nil && roundedOrdinals.isEmpty
            && type.versionProperty == nil
        editableInSave = ClassMap.editableInSave(properties)
        isReadAlone = links.isEmpty && !hooks.contains(.didLoad)
        self.observed = observed
        self.observedOnly = observedOnly
        releasePlan = ReleasePlan.plan(of: type)
        embedded = EmbeddedValue.all(of: properties)
        ordinals = Dictionary(uniqueKeysWithValues: properties.enumerated().map { ($1.name, $0) })
    }

    deinit {
        fields.deallocate()
        links.steps.deallocate()
    }

    /// Whether the class is the root of its hierarchy.
    var isRoot: Bool { root == type }

    /// Whether the class is the class of `other` or a subclass of that class.
    package func derives(from other: ClassMap) -> Bool { ClassMap.isClass(type, other.type) }

    /// Whether `type` is `other` or a subclass of it.
    static func isClass(_ type: AnyClass, _ other: AnyClass) -> Bool {
        var next: AnyClass? = type
        while let aClass: AnyClass = next {
            if aClass == other { return true }
            next = _getSuperclass(aClass)
        }
        return false
    }

    /// The properties in declaration order.
    var declaredProperties: [Property] { properties.sortedUnspecialized { $0.order < $1.order } }

    /// The classes that its references and collections refer to, and its inverses read from.
    package var linkedClasses: [PersistentObject.Type] {
        var seen: Set<ObjectIdentifier> = []
        return properties.compactMap { ($0.codec as? any LinkCodec)?.target }.filter {
            seen.insert(ObjectIdentifier($0)).inserted
        }
    }

    /// The ordinal of a property in `properties`.
    package func ordinal(of property: String) -> Int? { ordinals[property] }

    private static let maps = Locked<[ObjectIdentifier: ClassMap]>([:])

    /// The map of a class.
    package static func map(of type: PersistentObject.Type) throws -> ClassMap {
        let key = ObjectIdentifier(type)
        if let map = maps.withLock({ $0[key] }) { return map }
        // If the class's init() requested the map, the examination would recurse endlessly.
        guard !Examination.isUnderWay else { throw SchemaError.usedWhileMapped(className: String(describing: type)) }
        let map = try Examination.run { try ClassMapBuilder(type).build() }
        return maps.withLock { maps in
            if let first = maps[key] { return first }
            maps[key] = map
            return map
        }
    }

    /// Makes this the map of its type, which represents a described class.
    func register() { ClassMap.maps.withLock { $0[ObjectIdentifier(type)] = self } }
}

// The changes of an object, for the user.
extension ClassMap {
    /// The ordinals of the properties in declaration order. (In `properties`, properties with columns are first.)
    package var inDeclaredOrder: [Int] {
        properties.indices.sortedUnspecialized { properties[$0].order < properties[$1].order }
    }

    /// The changed properties, with their old values from the baseline and their new values from the object.
    func propertyChanges(
        _ changed: ColumnSet, of object: Address, _ block: Address
    ) -> [PropertyChange] {
        inDeclaredOrder.filter { changed.contains($0) }.map { ordinal in
            let property = properties[ordinal]
            return PropertyChange(
                name: property.name, old: baseline.baselineValue(ordinal, in: block),
                new: property.codec.sendableValue(property.address(in: object)), isEncrypted: property.sealing != nil)
        }
    }
}
