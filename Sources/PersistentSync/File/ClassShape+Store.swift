internal import PersistentObjects

extension ClassShape {
    /// The shape of a store's class.
    init(_ shape: SyncedShape, _ objects: FileObjects) throws {
        var properties: [Text: PropertyShape] = [:]
        var renamed: [Text: Text] = [:]
        var formerColumns: [String: Text] = [:]
        func add(_ formerNames: [String], of name: String) {
            for former in formerNames {
                renamed[Text(former)] = Text(name)
                formerColumns[former.lowercased()] = Text(name)
            }
        }
        for field in shape.fields {
            let kind: PropertyShape.Kind =
                switch field.kind {
                case .counter: .counter
                case .maximum: .maximum
                case .minimum: .minimum
                case .value: field.target == nil ? .value : field.isOwned ? .owner : .reference
                }
            properties[Text(field.name)] = PropertyShape(
                kind, isRequired: !field.acceptsNull, initial: try objects.value(field.initial, of: field),
                hasHash: field.hasHash)
            add(field.formerNames, of: field.name)
        }
        for collection in shape.collections {
            let kind: PropertyShape.Kind =
                switch collection.style {
                case .array: .array
                case .set: .set
                case .dictionary: .dictionary
                }
            properties[Text(collection.name)] = PropertyShape(kind)
            add(collection.formerNames, of: collection.name)
        }
        // A former name that another property has now is not a former name.
        renamed = renamed.filter { properties[$0.key] == nil }
        self.init(
            properties, unique: shape.unique.map { $0.map { Text($0) } }, keepsEdited: shape.keepsEdited,
            renamed: renamed, formerColumns: formerColumns)
    }
}
