internal import Foundation

/// The requirements of a class with soft deletion.
enum SoftDeletes {
    /// The property with the deletion time.
    static let property = "deletedAt"

    /// Throws if a class with soft deletion has no `deletedAt`, or if its `softDeletes` differs from the root's.
    static func check(
        _ type: PersistentObject.Type, root: PersistentObject.Type, _ properties: [Property]
    ) throws {
        let (name, rootName) = (String(describing: type), String(describing: root))
        guard type.softDeletes == root.softDeletes else {
            throw SchemaError.softDeletesDiffer(className: name, root: rootName)
        }
        guard type.softDeletes else { return }
        let level = ClassLineage.classes(above: root).count - 1
        guard
            properties.contains(where: {
                $0.name == property && $0.isSelected && $0.level <= level && $0.codec.valueType == Date?.self
                    && $0.codec.format == nil
            })
        else { throw SchemaError.needsDeletedAt(className: name, root: rootName) }
    }
}
