/// The places of a class's properties that contain objects or have boxes.
struct LinkPlan: Sendable {
    /// References, including lazy references.
    let references: [Int]
    /// The strong references that are stored in the object itself: the most common, and the fastest to create.
    let plainReferences: [PlainReference]
    /// Whether rows have only plain references: no other links and no boxes.
    let hasOnlyPlainReferences: Bool
    /// Collections, also of scalars, that are loaded with their object.
    let eagerCollections: [Int]
    /// All collections.
    let collections: [Int]
    let inverses: [Int]
    /// The inverses with a condition.
    let filteredInverses: [Int]
    /// The properties that retain their objects only for a while: inverses, and weak lazy references.
    let held: [Int]
    /// Properties with boxes: lazy properties and inverses.
    let boxes: [Int]
    let hasWeakReferences: Bool
    /// All properties that contain objects: references, collections of objects, inverses.
    let targets: [Int]
    /// The locations of `targets`, for hot loops.
    let steps: FixedBuffer<LinkStep>
    /// The codecs of `steps`, by the index of each step.
    let codecs: [any LinkCodec]
    /// Collections of objects that are deleted when they are removed.
    let owningCollections: [Int]
    /// `owningCollections`, and references whose objects are deleted with the owner.
    let owners: [Int]
    /// All references, collections, inverses and boxes.
    let all: ColumnSet
    /// Whether a fetch of rows reads the rows of other objects, too.
    let readsOtherRows: Bool
    /// Whether fetched rows need no further work after they have been read. (Stored, because it is read for each
    /// object.)
    let isEmpty: Bool

    init(_ properties: [Property], _ baseline: BaselineLayout) {
        func ordinals(_ isWanted: (Property) -> Bool) -> [Int] {
            properties.indices.filter { isWanted(properties[$0]) }
        }
        references = ordinals { if case .reference = $0.shape { true } else { false } }
        collections = ordinals { if case .collection = $0.shape { true } else { false } }
        eagerCollections = collections.filter { properties[$0].boxOffset == nil }
        inverses = ordinals { $0.isInverse }
        filteredInverses = inverses.filter { properties[$0].isFilteredInverse }
        held = ordinals { $0.isInverse || $0.isWeaklyLazy }
        boxes = ordinals { $0.boxOffset != nil }
        hasWeakReferences = properties.contains { ($0.codec as? ReferenceCodec)?.isWeak ?? false }
        targets = ordinals { $0.isLink }
        let followed = targets.compactMap { ordinal in
            (properties[ordinal].codec as? any LinkCodec).map { (ordinal, $0) }
        }
        codecs = followed.map { $1 }
        steps = FixedBuffer(followed.enumerated().map { LinkStep(properties[$1.0], at: $1.0, index: $0) })
        owningCollections = collections.filter { properties[$0].isLink && properties[$0].deleteRule == .cascade }
        owners = owningCollections + references.filter { properties[$0].deleteRule == .cascade }
        var all = ColumnSet()
        for ordinal in references + collections + inverses + boxes { all.insert(ordinal) }
        self.all = all
        isEmpty = references.isEmpty && collections.isEmpty && boxes.isEmpty
        readsOtherRows = !eagerCollections.isEmpty || references.contains { properties[$0].boxOffset == nil }
        let plain = references.filter { LinkPlan.isPlain(properties[$0]) }
        plainReferences = plain.map { PlainReference($0, baseline.slots[$0]) }
        hasOnlyPlainReferences = plain.count == references.count && eagerCollections.isEmpty && boxes.isEmpty
    }

    private static func isPlain(_ property: Property) -> Bool {
        property.boxOffset == nil && (property.codec as? ReferenceCodec).map { !$0.isWeak } ?? false
    }
}

/// The locations of a strong reference in the object itself and in its baseline.
struct PlainReference: Sendable {
    let ordinal: Int
    let objectOffset: Int
    let blockOffset: Int

    init(_ ordinal: Int, _ slot: BaselineLayout.Slot) {
        self.ordinal = ordinal
        (objectOffset, blockOffset) = (slot.objectOffset, slot.blockOffset)
    }
}

/// The location of a property that contains objects; plain data, so that a loop over steps retains nothing.
struct LinkStep: Sendable {
    let ordinal: Int
    let index: Int
    private let offset: Int
    private let boxOffset: Int
    private let isStrongReference: Bool

    init(_ property: Property, at ordinal: Int, index: Int) {
        (self.ordinal, self.index) = (ordinal, index)
        offset = property.offset
        boxOffset = property.boxOffset ?? -1
        isStrongReference = (property.codec as? ReferenceCodec).map { !$0.isWeak } ?? false
    }

    /// The link's target, if the object's memory shows it.
    enum Lead {
        case nowhere
        /// This object, unretained.
        case object(Address)
        case unknown
    }

    @inline(__always)
    func lead(in start: Address) -> Lead {
        if boxOffset >= 0 { return ObjectMemory.boxState(at: start + boxOffset) == .unloaded ? .nowhere : .unknown }
        guard isStrongReference else { return .unknown }
        guard let target = (start + offset).load(as: Address?.self) else { return .nowhere }
        return .object(target)
    }

    /// Whether the value is in memory, so that it need not be read from the file.
    @inline(__always)
    func isLoaded(in start: Address) -> Bool {
        boxOffset < 0 || !ObjectMemory.boxState(at: start + boxOffset).isAway
    }

    @inline(__always)
    func address(in start: Address) -> Address {
        boxOffset < 0 ? start + offset : ObjectMemory.boxAddress(at: start + boxOffset) + offset
    }
}
