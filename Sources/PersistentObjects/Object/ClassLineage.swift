/// Questions about classes and their superclasses, up to `PersistentObject`.
enum ClassLineage {
    /// The class and its superclasses below `PersistentObject`, the topmost first.
    static func classes(above type: PersistentObject.Type) -> [PersistentObject.Type] {
        var chain: [PersistentObject.Type] = []
        var next: PersistentObject.Type? = type
        while let current = next, current != PersistentObject.self {
            chain.append(current)
            next = _getSuperclass(current) as? PersistentObject.Type
        }
        return chain.reversed()
    }

    /// Whether one of the classes inherits from the other, or they are the same.
    static func areRelated(_ one: PersistentObject.Type, _ other: PersistentObject.Type) -> Bool {
        classes(above: one).contains { $0 == other } || classes(above: other).contains { $0 == one }
    }

    /// The topmost superclass below `PersistentObject` or below an abstract class.
    static func root(of type: PersistentObject.Type) -> PersistentObject.Type {
        var root = type
        while let superclass = _getSuperclass(root) as? PersistentObject.Type, superclass != PersistentObject.self,
            !ClassLineage.isAbstract(superclass)
        {
            root = superclass
        }
        return root
    }

    /// `isAbstract` is inherited, but abstractness is not: subclasses of an abstract class have tables.
    static func isAbstract(_ type: PersistentObject.Type) -> Bool {
        guard type.isAbstract else { return false }
        let superclass = _getSuperclass(type) as? PersistentObject.Type
        return superclass?.isAbstract != true
    }
}
