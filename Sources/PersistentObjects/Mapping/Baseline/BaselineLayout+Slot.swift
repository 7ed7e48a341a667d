internal import StoreEngine

// What a baseline has of one property, and where.
extension BaselineLayout {
    /// One property; plain data, so that a loop over them retains nothing.
    struct Slot: @unchecked Sendable {  // immutable
        let objectOffset: Int
        /// Where in the object the value's box is, in which `objectOffset` counts then; -1 where there is none.
        let boxOffset: Int
        let blockOffset: Int
        let size: Int
        let kind: PropertyCodec.Kind
        /// Kept alive by the class map, which lives as long as the process.
        fileprivate let borrowed: Borrowed<PropertyCodec>
        var codec: PropertyCodec { borrowed.object }
        let content: Content
        /// Whether the value has a buffer that the user may be writing this moment.
        let hasSharedBuffer: Bool
        /// Where in the stored property that it is in the value is: a field of an embedded value.
        let partOffset: Int
    }

    /// What the block has of a property.
    enum Content: UInt8 {
        case value
        /// The value's encoding, `DatabaseValue?`.
        case encoding
        /// The id of a reference's object, `Int64`.
        case reference
        /// The same, and a weak reference of the block's own.
        case weakReference
        /// The ids of many objects, `LinkImage`.
        case links
    }
}

extension BaselineLayout.Slot {
    init(_ property: Property, _ content: BaselineLayout.Content, at block: Int) {
        let codec = property.codec
        let size =
            switch content {
            case .value: codec.facts.size
            case .encoding: MemoryLayout<DatabaseValue?>.stride
            case .reference: MemoryLayout<Int64>.size
            case .weakReference: 2 * MemoryLayout<Int64>.size
            case .links: MemoryLayout<LinkImage>.stride
            }
        let isShared =
            switch content {
            case .value: !codec.facts.isPlainData && !Self.isImmutableBuffer(codec.valueType)
            case .encoding, .links: true
            case .reference, .weakReference: false
            }
        self.init(
            objectOffset: property.offset, boxOffset: property.boxOffset ?? -1, blockOffset: block, size: size,
            kind: content == .value ? codec.kind : .other, borrowed: Borrowed(codec), content: content,
            hasSharedBuffer: isShared && property.boxOffset == nil, partOffset: property.partOffset)
    }

    /// Types whose buffers nobody can write in place while they are shared.
    private static func isImmutableBuffer(_ type: Any.Type) -> Bool {
        type == String.self || type == String?.self
    }

    /// Where the value of the object at `start` is.
    @inline(__always)
    func address(in start: Address) -> Address {
        boxOffset < 0 ? start + objectOffset : ObjectMemory.boxAddress(at: start + boxOffset) + objectOffset
    }

    /// Stops where the user is writing the property, whose value is at `field`. (An access to a field of a structure is
    /// one to the stored property that it is in.)
    @inline(__always)
    func checkNotBeingModified(_ field: Address) { ObjectMemory.checkNotBeingModified(field + -partOffset) }

    /// Stops where the user is in the middle of any access to it.
    @inline(__always)
    func checkNotBeingAccessed(_ field: Address) { ObjectMemory.checkNotBeingAccessed(field + -partOffset) }

    @inline(__always)
    func box(in start: Address) -> LinkBox? {
        boxOffset < 0 ? nil : ObjectMemory.box(at: start + boxOffset)
    }

    /// Whether a value of one or two words has the same bits at both places: a fast yes.
    @inline(__always)
    func hasSameWords(_ one: Address, _ other: Address) -> Bool {
        guard size == 8 || size == 16 else { return false }
        let end = size - 8
        return one.load(as: UInt64.self) == other.load(as: UInt64.self)
            && (one + end).load(as: UInt64.self) == (other + end).load(as: UInt64.self)
    }

    /// Whether its content is ids, of the objects that the value holds.
    var holdsObjects: Bool {
        switch content {
        case .reference, .weakReference, .links: true
        case .value, .encoding: false
        }
    }

    /// Whether it is a strong reference in the object itself.
    var isBareReference: Bool { content == .reference && boxOffset < 0 }

    /// The codec of a slot whose content is a reference.
    var reference: ReferenceCodec { ObjectMemory.exactly(codec, as: ReferenceCodec.self) }

    /// The codec of a slot whose content is ids.
    var links: any LinkCodec {
        guard let links = codec as? any LinkCodec else { preconditionFailure("Only link codecs have ids as content") }
        return links
    }
}

extension BaselineLayout.Content {
    init(_ property: Property) {
        if let reference = property.codec as? ReferenceCodec {
            self = reference.isWeak ? .weakReference : .reference
        } else if property.isLink {
            self = .links
        } else {
            // The memory of a field of a value that may be nil is the whole value, which is not to be there for each.
            let isWhole = property.part.map { $0.presence != .always } ?? false
            self = property.codec.facts.isPlainValue && !isWhole ? .value : .encoding
        }
    }
}
