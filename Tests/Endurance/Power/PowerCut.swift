/// What a disk may hold after the power went: all that was synchronised, and of the rest any sectors, old, new or
/// garbage. A write changes no byte beside its own, which is what SQLite relies on, and all disks of today keep.
struct PowerCut {
    private final class Node {
        var bytes: [UInt8] = []
        var unsynced: [DiskRecord.Operation] = []
    }

    /// The files, by name.
    private(set) var files: [String: [UInt8]] = [:]
    /// The last step that was acknowledged before.
    private(set) var acknowledged = 0
    private(set) var isSecondVersion = false
    private static let sector = 512

    /// After so many operations.
    init(_ operations: ArraySlice<DiskRecord.Operation>, _ random: inout Randomness) {
        var live: [String: Node] = [:], durable: [String: Node] = [:]
        var names: [(name: String, node: Node?)] = []
        func settleNames(_ count: Int) { for (name, node) in names.prefix(count) { durable[name] = node } }
        for operation in operations {
            switch operation {
            case .create(let name):
                let node = Node()
                live[name] = node
                names.append((name, node))
            case .delete(let name):
                live[name] = nil
                names.append((name, nil))
            case .write(let name, _, _), .truncate(let name, _): live[name]?.unsynced.append(operation)
            case .sync(let name):
                guard let node = live[name] else { continue }
                for operation in node.unsynced { PowerCut.apply(operation, to: &node.bytes) }
                node.unsynced = []
            case .syncFolder:
                settleNames(names.count)
                names = []
            case .acknowledge(let step): acknowledged = step
            case .secondVersion: isSecondVersion = true
            }
        }
        // File systems bring names to the disk in order, if not at once.
        settleNames(random.below(names.count + 1))
        let kept = ([0, 0.1, 0.5, 0.9, 1] as [Double]).randomElement(using: &random) ?? 1
        let garbage = random.chance(0.5) ? 0.05 : 0
        for (name, node) in durable.sorted(by: { $0.key < $1.key }) {
            var bytes = node.bytes
            for operation in node.unsynced { PowerCut.tear(operation, &bytes, kept, garbage, &random) }
            files[name] = bytes
        }
    }

    private static func apply(_ operation: DiskRecord.Operation, to file: inout [UInt8]) {
        switch operation {
        case .write(_, let offset, let bytes): put(bytes[...], at: offset, &file)
        case .truncate(_, let size):
            if size < file.count { file.removeLast(file.count - size) } else { grow(&file, to: size) }
        default: break
        }
    }

    private static func tear(
        _ operation: DiskRecord.Operation, _ file: inout [UInt8], _ kept: Double, _ garbage: Double,
        _ random: inout Randomness
    ) {
        guard case .write(_, let offset, let bytes) = operation else {
            if random.chance(kept) { apply(operation, to: &file) }
            return
        }
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, ((offset + start) / sector + 1) * sector - offset)
            if random.chance(garbage) {
                let noise = (start..<end).map { _ in UInt8.random(in: 0...255, using: &random) }
                put(noise[...], at: offset + start, &file)
            } else if random.chance(kept) {
                put(bytes[start..<end], at: offset + start, &file)
            }
            start = end
        }
    }

    private static func put(_ bytes: ArraySlice<UInt8>, at offset: Int, _ file: inout [UInt8]) {
        grow(&file, to: offset + bytes.count)
        file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }

    private static func grow(_ file: inout [UInt8], to size: Int) {
        if size > file.count { file.append(contentsOf: repeatElement(0, count: size - file.count)) }
    }
}
