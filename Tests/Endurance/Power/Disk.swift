/// The state of a disk after a program's operations: the synchronised content, and the operations after it.
struct Disk {
    private final class Node {
        var bytes: [UInt8] = []
        var unsynced: [DiskRecord.Operation] = []
    }

    private var live: [String: Node] = [:]
    private var durable: [String: Node] = [:]
    private var names: [(name: String, node: Node?)] = []
    /// The last acknowledged step.
    private(set) var acknowledged = 0
    private(set) var isSecondVersion = false

    mutating func apply(_ operation: DiskRecord.Operation) {
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
            guard let node = live[name] else { return }
            for operation in node.unsynced { Disk.apply(operation, to: &node.bytes) }
            node.unsynced = []
        case .syncFolder:
            for (name, node) in names { durable[name] = node }
            names = []
        case .acknowledge(let step): acknowledged = step
        case .secondVersion: isSecondVersion = true
        }
    }

    /// Possible files after a power cut at this point. Synchronised content is complete. Each other sector is old,
    /// new or garbage.
    ///
    /// A write changes no bytes outside its range. SQLite relies on this, and current disks guarantee it.
    func cut(_ random: inout Randomness) -> [String: [UInt8]] {
        var found = durable
        // A file system may write names late, but in order.
        for (name, node) in names.prefix(random.below(names.count + 1)) { found[name] = node }
        let kept = ([0, 0.1, 0.5, 0.9, 1] as [Double]).randomElement(using: &random) ?? 1
        let garbage = random.chance(0.5) ? 0.05 : 0
        var files: [String: [UInt8]] = [:]
        for (name, node) in found.sorted(by: { $0.key < $1.key }) {
            var bytes = node.bytes
            for operation in node.unsynced { Disk.tear(operation, &bytes, kept, garbage, &random) }
            files[name] = bytes
        }
        return files
    }

    private static let sector = 512

    private static func apply(_ operation: DiskRecord.Operation, to file: inout [UInt8]) {
        switch operation {
        case .write(_, let offset, let bytes): put(bytes, 0..<bytes.count, at: offset, &file)
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
                put(noise, 0..<noise.count, at: offset + start, &file)
            } else if random.chance(kept) {
                put(bytes, start..<end, at: offset + start, &file)
            }
            start = end
        }
    }

    private static func put(_ bytes: [UInt8], _ range: Range<Int>, at offset: Int, _ file: inout [UInt8]) {
        grow(&file, to: offset + range.count)
        // `replaceSubrange` copies byte by byte in a debug build.
        file.withUnsafeMutableBytes { file in
            bytes.withUnsafeBytes { bytes in
                UnsafeMutableRawBufferPointer(rebasing: file[offset..<offset + range.count])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[range]))
            }
        }
    }

    private static func grow(_ file: inout [UInt8], to size: Int) {
        if size > file.count { file += [UInt8](repeating: 0, count: size - file.count) }
    }
}
