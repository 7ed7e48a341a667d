internal import CSQLite

/// The compiler's records of all types of the program, read to find the subclasses of a class.
///
/// Only descriptors are compared, so that unused classes are not realized; the runtime realizes the classes that are
/// found. Generic classes are skipped. Layout: TypeMetadataRecord and TargetClassDescriptor in Metadata.h of the Swift
/// sources.
enum ClassRecords {
    /// The classes that derive from a class, at any depth.
    static func subclasses(of root: AnyClass) -> [AnyClass] {
        var parents: [UnsafeRawPointer: UnsafeRawPointer] = [:]
        forEachDescriptor { descriptor in
            if let superclass = superclass(of: descriptor) { parents[descriptor] = superclass }
        }
        let top = ClassDescriptor.pointer(of: root)
        var found: [AnyClass] = []
        for descriptor in parents.keys {
            var next = parents[descriptor]
            // The limit prevents an endless loop, because a chain of superclasses has fewer steps than there are
            // classes.
            var steps = 0
            while let current = next, current != top, steps < parents.count {
                next = parents[current]
                steps += 1
            }
            guard next == top, let accessor = RelativePointer.follow(descriptor + 12),
                let metadata = po_metadata(accessor)
            else { continue }
            if let type = unsafeBitCast(metadata, to: Any.Type.self) as? AnyClass { found.append(type) }
        }
        return found
    }

    /// The descriptor of a class's superclass; nil if it is not a class, is generic, or does not refer to its
    /// superclass by a reference.
    private static func superclass(of descriptor: UnsafeRawPointer) -> UnsafeRawPointer? {
        let flags = descriptor.load(as: UInt32.self)
        guard flags & 0x1f == 16, flags & 0x80 == 0, let name = RelativePointer.follow(descriptor + 20) else {
            return nil
        }
        // A reference to a descriptor, or to a pointer to a descriptor, and nothing after it.
        let kind = name.load(as: UInt8.self)
        guard kind == 1 || kind == 2, name.load(fromByteOffset: 5, as: UInt8.self) == 0,
            let target = followUnaligned(name + 1)
        else { return nil }
        return kind == 1 ? target : target.loadUnaligned(as: UnsafeRawPointer?.self)
    }

    private static func followUnaligned(_ place: UnsafeRawPointer) -> UnsafeRawPointer? {
        let distance = place.loadUnaligned(as: Int32.self)
        return distance == 0 ? nil : place + Int(distance)
    }

    private static func forEachDescriptor(_ body: @escaping (UnsafeRawPointer) -> Void) {
        #if canImport(ObjectiveC)
            var start: UnsafeRawPointer?
            var size = 0
            var image = po_type_records(0, &start, &size)
            while image != 0 {
                if let start { forEachDescriptor(in: start, size, body) }
                image = po_type_records(image, &start, &size)
            }
        #else
            let call = Call(body)
            po_each_type_records(
                { start, size, context in
                    ClassRecords.forEachDescriptor(
                        in: start, size, Unmanaged<Call>.fromOpaque(context).takeUnretainedValue().body)
                }, Unmanaged.passUnretained(call).toOpaque())
            withExtendedLifetime(call) {}
        #endif
    }

    private final class Call {
        let body: (UnsafeRawPointer) -> Void

        init(_ body: @escaping (UnsafeRawPointer) -> Void) { self.body = body }
    }

    /// Each record is a distance whose lowest bit indicates a pointer to the descriptor.
    private static func forEachDescriptor(
        in start: UnsafeRawPointer, _ size: Int, _ body: (UnsafeRawPointer) -> Void
    ) {
        for offset in stride(from: 0, to: size - 3, by: 4) {
            let distance = (start + offset).load(as: Int32.self)
            guard distance & ~3 != 0 else { continue }
            let target = start + offset + Int(distance & ~3)
            switch distance & 3 {
            case 0: body(target)
            case 1: if let descriptor = target.load(as: UnsafeRawPointer?.self) { body(descriptor) }
            default: break
            }
        }
    }
}
