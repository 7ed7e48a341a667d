internal import Foundation
internal import StoreEngine

/// The requirements of a class whose changes are captured for sync.
enum SyncedClass {
    /// Throws if a class is synced and the root of its table is not, or the reverse, or if it cannot be synced.
    static func check(_ type: PersistentObject.Type, root: PersistentObject.Type, _ properties: [Property]) throws {
        let name = String(describing: type)
        guard type.isSynced == root.isSynced else {
            throw SchemaError.syncDiffers(className: name, root: String(describing: root))
        }
        guard type.isSynced else { return }
        if !type.origin.isOwn {
            throw refusal(
                name,
                "the class is over an existing table or view, to which the library adds no triggers. Remove isSynced, "
                    + "or let the library create the table")
        }
        guard type.identity == .uuid || type.identity == .string else {
            throw refusal(
                name,
                "other devices identify its objects by their keys. Write override class var identity: Identity "
                    + "{ .uuid } in \(root)")
        }
        if type.isReadOnly {
            throw refusal(name, "it is read-only, so changes of other devices cannot be written. Remove isReadOnly")
        }
        if root.keepsEdited {
            for property in properties where property.isLink && property.deleteRule == .cascade {
                guard let target = property.linkedClass, !ClassLineage.root(of: target).keepsEdited else { continue }
                throw refusal(
                    name,
                    "it declares keepsEdited, and \(target), whose objects it owns, does not, so an object could return "
                        + "without them. Write override class var keepsEdited: Bool { true } in "
                        + "\(ClassLineage.root(of: target))", property.name)
            }
        }
        try checkNames(name, properties)
        for property in properties where property.isReference || property.isCollection {
            let element = (property.codec as? CollectionCodec)?.element as? any LinkCodec
            guard let target = (element ?? property.codec as? any LinkCodec)?.target,
                !ClassLineage.root(of: target).isSynced
            else { continue }
            throw refusal(
                name,
                "\(target) is not synced, so other devices do not have its objects. Write override class var "
                    + "isSynced: Bool { true } in \(ClassLineage.root(of: target)), or mark the property @Transient",
                property.name)
        }
    }

    /// Throws if a property has the former name of another one: states of earlier versions would be shown in both.
    ///
    /// A declaration has the former column, so names are compared with the names from which columns are derived.
    private static func checkNames(_ name: String, _ properties: [Property]) throws {
        for property in properties where !property.isKey {
            let column = Naming.snakeCase(property.name).replacing(".", with: "_")
            let names = Set([property.name, column, property.isReference ? column + "_id" : column].map(Naming.folded))
            let renamed = properties.first { other in
                other.name != property.name && other.formerColumns.contains { names.contains(Naming.folded($0)) }
            }
            guard let renamed else { continue }
            throw refusal(
                name,
                "\(renamed.name) was renamed, and devices with the earlier version still send values under the name "
                    + "\(property.name). Give this property another name", property.name)
        }
    }

    private static func refusal(_ name: String, _ reason: String, _ property: String? = nil) -> SchemaError {
        .notSyncable(className: name, property: property, reason: reason)
    }

    /// The reason that a property cannot have a merge rule; nil if it can.
    static func objection(to rule: MergeRule, of property: Property) -> String? {
        let type = (property.codec.valueType as? any OptionalType.Type)?.wrapped ?? property.codec.valueType
        let isNumber = type is any FixedWidthInteger.Type || type == Double.self || type == Float.self
        guard case .scalar = property.shape, isNumber || type == Decimal.self || type == Date.self else {
            return "@Merged is for integers, Double, Float, Decimal and Date. Remove it: the last change wins"
        }
        if property.sealing != nil {
            return "encrypted values cannot be compared or added. Remove @Merged or @Encrypted"
        }
        guard rule == .counter else { return nil }
        if property.codec.acceptsNull { return "a counter cannot be nil. Make it not optional" }
        if type == Decimal.self, !property.codec.isScaled {
            return "SQL cannot add decimal numbers in text exactly. Give it a scale: "
                + "@Merged(.counter) @Column(scale: 2)"
        }
        if property.codec.columnType != .integer && property.codec.columnType != .real {
            return "its column contains no numbers, so changes cannot be added. Remove the format of the column"
        }
        return nil
    }
}
