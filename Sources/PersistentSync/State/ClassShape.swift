/// What one version of a program declares of a synced class.
package struct ClassShape: Sendable {
    package let properties: [Text: PropertyShape]
    /// The sets of properties whose values must be unique.
    package var unique: [[Text]]
    /// Whether an edit wins against a deletion that did not see it.
    package var keepsEdited: Bool
    /// The current names of properties that were renamed, by former name.
    package var renamed: [Text: Text]
    /// The same by the columns of earlier versions, whose properties had the names from which these are derived.
    package var formerColumns: [String: Text]

    package init(
        _ properties: [Text: PropertyShape], unique: [[Text]] = [], keepsEdited: Bool = false,
        renamed: [Text: Text] = [:], formerColumns: [String: Text] = [:]
    ) {
        self.properties = properties
        self.unique = unique
        self.keepsEdited = keepsEdited
        (self.renamed, self.formerColumns) = (renamed, formerColumns)
        owners = properties.filter { $0.value.kind == .owner }.map(\.key).sorted()
        required = properties.filter { $1.kind == .owner || $1.kind == .reference && $1.isRequired }.keys.sorted()
        necessary = properties.filter { _, property in
            switch property.kind {
            case .value, .reference, .owner: property.isRequired && property.initial == .null
            default: false
            }
        }.keys.sorted()
        all = NamedValues(properties)
        isPlain = properties.values.allSatisfy { $0.kind == .value }
    }

    /// The references whose target owns the object, by name.
    package let owners: [Text]
    /// The references whose target must be shown, by name.
    package let required: [Text]
    /// The properties without which an object is not shown.
    let necessary: [Text]
    /// Whether no property refers to objects, and none is a collection.
    let isPlain: Bool
    /// The properties in the order of their names.
    let all: NamedValues<PropertyShape>
}

/// What one version of a program declares of a property.
package struct PropertyShape: Sendable {
    package enum Kind: Sendable {
        case value, counter, maximum, minimum, set, dictionary, array
        /// A reference.
        case reference
        /// A reference whose target owns the object: if the target is deleted, so is the object.
        case owner
    }

    package let kind: Kind
    /// Whether an object without a value is not shown.
    package let isRequired: Bool
    /// The value of an object whose author's version did not have the property.
    package let initial: SyncValue
    /// Whether values are encrypted, so that equal values have only equal hashes.
    package let hasHash: Bool

    package init(_ kind: Kind, isRequired: Bool = false, initial: SyncValue = .null, hasHash: Bool = false) {
        self.kind = kind
        self.hasHash = hasHash
        self.isRequired = isRequired
        self.initial = initial
    }
}
