import Foundation
import PersistentObjects
import PersistentTransfer
import TestSupport
import Testing

/// Files damaged at random places result in objects or errors, and never in more objects than the file contained.
struct DamagedTransferTests {
    @Test(arguments: SeededGenerator.seeds(30))
    func `damaged JSON is imported or refused and leaves a sound store`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        try withTemporaryStore { store, file in
            let url = file.folder.appending(path: "in.json")
            try store.withSession { session in
                let workers = (0..<30).map { index in
                    let worker = index % 2 == 0 ? Worker() : Boss()
                    (worker.name, worker.age) = ("w\(index) \"é\"", index)
                    return worker
                }
                for worker in workers { worker.friends = [workers[0], worker] }
                try session.save(workers)
            }
            try store.export([Worker.self], to: url, as: seed % 2 == 0 ? .json : .jsonLines)
            var bytes = [UInt8](try Data(contentsOf: url))
            for _ in 0..<(1 + Int(generator.next() % 4)) {
                let place = Int(generator.next() % UInt64(bytes.count))
                switch generator.next() % 3 {
                case 0: bytes[place] ^= 1 << UInt8(generator.next() % 8)
                case 1: bytes.remove(at: place)
                default: bytes.insert(Array("{}[],:\"\\0x".utf8)[Int(generator.next() % 10)], at: place)
                }
            }
            try Data(bytes).write(to: url)
            try withTemporaryStore { other, _ in
                var refused: TransferError?
                do { try other.import(Worker.self, from: url) } catch let error as TransferError { refused = error }
                let count = try other.withSession { _ in try Worker.all().count }
                #expect(refused == nil ? count <= 31 : count == 0, "seed \(seed): \(count) \(refused as Any)")
                // If errors are skipped, readable objects are imported, and references to skipped objects are
                // refused.
                do {
                    let report = try other.import(Worker.self, from: url, onError: { _ in .skip })
                    try expect(other.withSession { _ in try Worker.count() }, count + report.count)
                } catch let error as TransferError { #expect(!error.message.isEmpty) }
            }
        }
    }

    @Test(arguments: SeededGenerator.seeds(25))
    func `damaged Core Data files are converted or refused and leave a sound store`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        try withTemporaryStore { store, file in
            let path = file.folder.appending(path: "Model.sqlite").path
            try CoreDataFileTests.makeFile(path)
            var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            for _ in 0..<(1 + Int(generator.next() % 8)) {
                let place = Int(generator.next() % UInt64(bytes.count))
                bytes[place] = UInt8(truncatingIfNeeded: generator.next())
            }
            if seed % 5 == 0 { bytes.removeLast(Int(generator.next() % UInt64(bytes.count))) }
            try Data(bytes).write(to: URL(filePath: path))
            do {
                let report = try store.importCoreData(
                    from: path, CoreDataFileTests.Animal.self, CoreDataFileTests.Dog.self, CoreDataFileTests.Owner.self,
                    CoreDataFileTests.Tag.self)
                let count = try store.withSession { _ in
                    try CoreDataFileTests.Animal.all().count + CoreDataFileTests.Owner.count()
                        + CoreDataFileTests.Tag.count()
                }
                expect(count, report.count, "seed \(seed)")
            } catch {
                #expect(error is StoreError || error is TransferError, "seed \(seed): \(error)")
                try expect(store.withSession { _ in try CoreDataFileTests.Animal.count() }, 0)
            }
        }
    }
}
