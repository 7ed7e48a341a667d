/// The classes of the runs.
enum ModelKind: Int, CaseIterable {
    case thing, special, owner, badge, part

    /// Whether an object of this class can be used where the other class is required.
    func isA(_ other: ModelKind) -> Bool { self == other || self == .special && other == .thing }
}

/// The properties of the runs' classes.
enum ModelField: Int, CaseIterable {
    case count, maybe, text, real, flag, date, data, uuid, status, address, key, rank
    case tags, numbers, marks, next, lazyNext, friends, circle, table, part, keeper, owner
    case extra, list, parts
    case name, badgeOwner, size

    enum Form { case scalar, array, set, dictionary }

    var form: Form {
        switch self {
        case .tags, .friends, .list, .parts: .array
        case .numbers, .circle: .set
        case .marks, .table: .dictionary
        default: .scalar
        }
    }

    /// The class that a link refers to.
    var target: ModelKind? {
        switch self {
        case .next, .lazyNext, .friends, .circle, .table: .thing
        case .part, .parts: .part
        case .keeper, .owner, .badgeOwner: .owner
        default: nil
        }
    }

    var isOptional: Bool {
        switch self {
        case .maybe, .date, .uuid, .key, .numbers, .table, .extra, .list: true
        default: target != nil && form == .scalar
        }
    }

    /// Whether equal changes of two sessions add up, so that they conflict.
    func isAdditive(_ version: Int) -> Bool {
        switch self {
        case .count, .real, .key, .rank, .extra, .size: true
        case .maybe: version == 1
        default: false
        }
    }

    /// The initial value.
    var initial: ModelValue {
        switch self {
        case _ where isOptional: .null
        case .rank: .one(3)
        default:
            switch form {
            case .scalar: .one(0)
            case .array: .list([])
            case .set: .set([])
            case .dictionary: .table([:])
            }
        }
    }
}

/// All properties of an object, by field.
struct ModelRecord: Equatable {
    private var values: [ModelValue] = ModelField.allCases.map(\.initial)

    subscript(field: ModelField) -> ModelValue {
        get { values[field.rawValue] }
        set { values[field.rawValue] = newValue }
    }

    /// The record without links to deleted objects.
    func without(_ fields: [ModelField], _ isGone: (Int) -> Bool) -> ModelRecord {
        var record = self
        for field in fields where field.target != nil { record[field] = record[field].without(isGone) }
        return record
    }
}

/// The model of a row of the file.
struct ModelRow: Equatable {
    let kind: ModelKind
    var record: ModelRecord
}
