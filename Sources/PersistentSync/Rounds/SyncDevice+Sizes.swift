internal import Foundation

// Batches whose objects are too large for one file, or for any number of files.
extension SyncDevice {
    /// The greatest number of objects in a batch. Objects with more than about ten properties are divided further.
    static let largestPart = 4000

    /// The files of a batch; nil if it is too large and can be divided.
    func files(
        of batch: Batch, _ own: GroupState, _ epoch: UInt32, _ secret: Data
    ) throws(SyncError) -> BatchFiles? {
        do throws(SyncError) {
            return try SealedBatch.files(
                of: batch, epoch: epoch, secret: secret.bytes, previous: own.sent.hash,
                signedBy: own.keys.signing.bytes, limits: limits)
        } catch {
            guard error.code == .quota, batch.objects.count > 1 else { throw error }
            return nil
        }
    }

    /// Whether the batch after one of a size may have twice as many objects.
    static func mayGrow(_ batch: Batch, _ size: Int, _ limits: BatchLimits) -> Bool {
        size < limits.file / 2 && batch.largestMemory < WireFormat.largestMemory / 2
    }

    /// The files of a batch of this device's log; nil if it is too large and can be divided. Values with which a single object would be too large are left out of
    /// it, and noted in the state of the group.
    func sendableFiles(
        of batch: inout Batch, _ own: inout GroupState, _ epoch: UInt32, _ secret: Data
    ) throws(SyncError) -> BatchFiles? {
        var withheld = (own.withheld ?? []).filter { batch.objects[$0.key] == nil }
        while true {
            // A part of several batches contains no receipt.
            batch.passesOnAll = withheld.isEmpty || batch.received.isEmpty
            do throws(SyncError) {
                let files = try files(of: batch, own, epoch, secret)
                if files != nil { own.withheld = withheld.isEmpty ? nil : withheld }
                return files
            } catch {
                guard error.code == .quota, let (key, object) = batch.objects.first else { throw error }
                var rest = object
                let removed = rest.removeLargest()
                batch.objects[key] = removed == nil ? nil : rest
                withheld.append(
                    WithheldValue(
                        key, removed?.name, size: removed?.size ?? 0, last: batch.last, isDeleted: object.isDeleted))
            }
        }
    }

    /// Forgets the values that were withheld of objects that are not known any more.
    func checkWithheld(_ own: inout GroupState) throws {
        guard let withheld = own.withheld else { return }
        let known = try store.known(Set(withheld.map(\.key)))
        let rest = withheld.filter { known.contains($0.key) }
        own.withheld = rest.isEmpty ? nil : rest
    }

    /// Reports the values of a group that wait.
    func reportWithheld(_ own: GroupState, _ report: inout RoundReport) {
        for value in own.withheld ?? [] where !value.isDeleted {
            let type = value.key.type.string
            let part = value.name.map { "property \($0.string) of an object of the class \(type)" }
            let size = value.size > 0 ? "has \(value.size) bytes. With it, the object" : "is too large. It"
            let error = SyncError(
                .quota,
                "The \(part ?? "object of the class \(type)") \(size) would have more than \(limits.object >> 20) MiB, so it "
                    + "was not sent, and everything else was. It is sent when it is smaller")
            report.problems.append(RoundProblem(error, in: own.id, object: value.key))
        }
    }

    /// Writes the pieces of a batch of this device's log that an interrupted round has not written. If such a round wrote
    /// pieces that this batch does not use, they are removed first, because the space may be limited.
    func writePieces(_ files: BatchFiles, of batch: Batch, _ entries: [SyncEntry]) async throws {
        let kind = SyncEntry.Kind.log(batch.device)
        let names = files.hashes.enumerated().map { PieceName.text(after: batch.after, $0, $1) }
        for entry in entries where entry.kind == kind && PieceName(entry)?.after == batch.after {
            if !names.contains(entry.name) { try await transport.remove(entry) }
        }
        try await write(files, entries) { SyncEntry(batch.group, kind, name: names[$0], size: $1) }
    }

    /// Writes the pieces that are not among the entries.
    func write(
        _ files: BatchFiles, _ entries: [SyncEntry], entry: (_ index: Int, _ size: Int) -> SyncEntry?
    ) async throws {
        let known = Set(entries)
        for index in files.hashes.indices {
            try Task.checkCancellation()
            let bytes = files.piece(index)
            guard let entry = entry(index, bytes.count), !known.contains(entry) else { continue }
            try await transport.write(entry, bytes)
        }
    }

    /// How many changed objects no other member of a group has received completely.
    package func unsentCount(in group: GroupID) throws -> Int {
        try unsentCount(of: try currentState()[group], in: group)
    }

    func unsentCount(of own: GroupState?, in group: GroupID) throws -> Int {
        let count = try store.unsentCount(in: group)
        guard let withheld = own?.withheld else { return count }
        // The objects whose batch has not arrived are counted already.
        let received = try store.progress(of: group)?.acknowledged.values.max() ?? 0
        return count + Set(withheld.filter { !$0.isDeleted && $0.last <= received }.map(\.key)).count
    }
}

extension ObjectState {
    /// Removes the value or collection that needs the most memory; nil if there is none.
    fileprivate mutating func removeLargest() -> (name: Text, size: Int)? {
        var largest: (size: Int, bytes: Int, name: Text, remove: (inout ObjectState) -> Void)?
        func consider(_ name: Text, _ bytes: Int, _ entries: Int, _ remove: @escaping (inout ObjectState) -> Void) {
            let size = bytes + entries * MemorySize.entry
            if size > largest?.size ?? 0 { largest = (size, bytes, name, remove) }
        }
        for (name, register) in properties {
            consider(name, register.value.byteCount, 1) { $0.properties[name] = nil }
        }
        for (name, elements) in sets {
            consider(name, elements.keys.reduce(0) { $0 + $1.byteCount }, elements.count) { $0.sets[name] = nil }
        }
        for (name, entries) in dictionaries {
            let bytes = entries.reduce(0) { $0 + $1.key.byteCount + $1.value.value.value.byteCount }
            consider(name, bytes, 2 * entries.count) { $0.dictionaries[name] = nil }
        }
        for (name, elements) in arrays {
            let bytes = elements.values.reduce(0) { $0 + $1.value.value.byteCount }
            consider(name, bytes, 2 * elements.count) { $0.arrays[name] = nil }
        }
        guard let largest else { return nil }
        largest.remove(&self)
        return (largest.name, largest.bytes)
    }
}
