@_spi(Locks) internal import StoreEngine

/// The fields of a class whose references must be moved out before the object's own fields are destroyed.
///
/// Without it, a chain of objects is freed by recursion with one stack frame per link, and 20,000 links overflow a
/// thread's stack. Copying the references out does not help, because the fields still hold them when they are destroyed
/// (T1).
///
/// Covered: optional references to class instances, arrays, sets, dictionaries and optionals of these, also inside
/// structures (property wrappers are structures). Not covered, and therefore destroyed by recursion: references that
/// are not optional or are `let`, closures, existentials, and enumeration payloads.
final class ReleasePlan: @unchecked Sendable {  // immutable; a metatype alone is not known to be Sendable
    private let referenceOffsets: [Int]
    private let containers: [(offset: Int, type: any ReleasableContainer.Type)]
    /// The library's boxes. Their values are moved out, and their references to the object are cleared.
    private let boxOffsets: [Int]
    /// Whether all references that an object holds are covered.
    private let isComplete: Bool

    private init(_ type: AnyClass) {
        var references: [Int] = []
        var containers: [(offset: Int, type: any ReleasableContainer.Type)] = []
        var boxes: [Int] = []
        var isComplete = true
        // If metadata was compiled away there is nothing to do; mapping the class reports it.
        var pending = ((try? FieldMetadata.fields(of: type, below: PersistentObject.self)) ?? []).map {
            ($0, $0.offset)
        }
        while let (field, offset) = pending.popLast() {
            guard field.isStrong else { continue }
            guard field.isVar else {
                if !TypeFacts(field.type).isPlainValue { isComplete = false }
                continue
            }
            if field.type is any BoxedWrapper.Type {
                boxes.append(offset)
            } else if let optional = field.type as? any OptionalType.Type, optional.wrapped is AnyClass {
                references.append(offset)
            } else if let container = field.type as? any ReleasableContainer.Type {
                guard !TypeFacts(field.type).isPlainValue else { continue }
                containers.append((offset, container))
            } else if TypeFacts(field.type).isPlainValue {
                continue
            } else if MetadataKind(field.type) == .structure {
                pending += FieldMetadata.structureFields(field.type).map { ($0, offset + $0.offset) }
            } else {
                isComplete = false
            }
        }
        referenceOffsets = references
        self.containers = containers
        boxOffsets = boxes
        self.isComplete = isComplete
    }

    /// Moves the references of `object` into `drain` and leaves the object's fields empty.
    func moveReferences(outOf object: Address) {
        guard !referenceOffsets.isEmpty || !containers.isEmpty || !boxOffsets.isEmpty else { return }
        var drain: ReleaseDrain?
        func give(_ value: AnyObject) {
            // Fetched only if there is something to move (T5).
            let current = drain ?? ReleaseDrain.current
            drain = current
            current.add(value)
        }
        for offset in referenceOffsets {
            let field = object + offset
            // An object that other code also holds is not deallocated here, so it needs no drain, which is expensive.
            // The fields are checked one after another: of two fields with the same object, only the second holds it
            // uniquely.
            if isComplete, !isKnownUniquelyReferenced(&field[as: Optional<AnyObject>.self]) {
                field[as: Optional<AnyObject>.self] = nil
            } else if let reference = field[as: Optional<AnyObject>.self] {
                field[as: Optional<AnyObject>.self] = nil
                give(reference)
            }
        }
        for (offset, type) in containers {
            if let container = type.moveOut(of: object + offset) { give(container) }
        }
        for offset in boxOffsets {
            if let value = ObjectMemory.box(at: object + offset).detach() { give(value) }
        }
        drain?.run()
    }

    private static let plans = Locked<[ObjectIdentifier: ReleasePlan]>([:])

    /// The plan of a class, created once.
    static func plan(of type: AnyClass) -> ReleasePlan {
        let key = ObjectIdentifier(type)
        if let plan = plans.withLock({ $0[key] }) { return plan }
        let plan = ReleasePlan(type)
        return plans.withLock { plans in
            if let first = plans[key] { return first }
            plans[key] = plan
            return plan
        }
    }
}

/// A container that can be emptied, so that its contents are released elsewhere.
private protocol ReleasableContainer {
    static var empty: Self { get }
    var isEmptied: Bool { get }
}

extension ReleasableContainer {
    /// Moves the value out of a field and leaves it empty; nil if it was already empty.
    static func moveOut(of field: Address) -> AnyObject? {
        let pointer = field.pointer.assumingMemoryBound(to: Self.self)
        guard !pointer.pointee.isEmptied else { return nil }
        let value = pointer.move()
        pointer.initialize(to: empty)
        return ReleaseDrain.Box(value)
    }
}

extension Array: ReleasableContainer {
    fileprivate static var empty: Self { [] }
    fileprivate var isEmptied: Bool { isEmpty }
}

extension Set: ReleasableContainer {
    fileprivate static var empty: Self { [] }
    fileprivate var isEmptied: Bool { isEmpty }
}

extension Dictionary: ReleasableContainer {
    fileprivate static var empty: Self { [:] }
    fileprivate var isEmptied: Bool { isEmpty }
}

extension Optional: ReleasableContainer {
    fileprivate static var empty: Self { nil }
    fileprivate var isEmptied: Bool { self == nil }
}
