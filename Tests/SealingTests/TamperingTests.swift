#if Encryption
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    /// Changed bytes of an encrypted file are noticed, wherever they are.
    @Suite struct TamperingTests {
        private let folder: SealedFolder

        init() throws { folder = try SealedFolder() }

        private func bytes() throws -> Data { try Data(contentsOf: URL(filePath: folder.path)) }

        private func write(_ bytes: Data) throws {
            folder.remove(["store.sqlite-wal", "store.sqlite-shm", "store.sqlite-journal"])
            try bytes.write(to: URL(filePath: folder.path))
        }

        /// Reads everything, as far as the file allows.
        private func readAll(_ keys: Keyring) throws {
            let store = try folder.open(keys)
            defer { store.close() }
            let report = try store.checkIntegrity()
            guard report.isSound else { throw StoreError(.damaged, "\(report)") }
            try expect(store.numbers().count, 60)
        }

        @Test(arguments: [nil, 8192, 65536])
        func `a changed byte in any page is noticed, and restoring it restores the file`(pageSize: Int?) throws {
            let keys = try folder.keys()
            let store = try folder.open(keys, pageSize: pageSize)
            try store.fill(60)
            try store.changeFileKey()
            store.close()
            let original = try bytes()
            let size = pageSize ?? 4096
            var generator = SeededGenerator(seed: 45)
            // Each part of the first two pages, and random places in each page.
            var places = [0, 15, 16, 17, 18, 19, 20, 23, 24, 31, 32, 99]
            places += [0, 11, 12, 15, 16, 23, 24, 39, 40, 43, 44, 55].flatMap { [size - 56 + $0, 2 * size - 56 + $0] }
            for page in 0..<original.count / size {
                places += (0..<3).map { _ in page * size + Int.random(in: 0..<size, using: &generator) }
            }
            for place in Scale.isFull ? places : places.filter({ $0 < 2 * size || $0 % 4 == 0 }) {
                var changed = original
                changed[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &generator))
                try write(changed)
                let found = errorCode { try readAll(keys) }
                // A changed key number or salt is a key that the keyring lacks.
                let isExpected = found == .damaged || found == .wrongKey && place % size >= size - 56
                #expect(isExpected, "byte \(place): \(String(describing: found))")
            }
            try write(original)
            try readAll(keys)
        }

        @Test func `pages that were exchanged, or come from another file with the same keys, are noticed`() throws {
            let keys = try folder.keys()
            let store = try folder.open(keys)
            try store.fill(60)
            try store.backup(to: folder.path + "-copy")
            store.close()
            let original = try bytes()
            let copy = try Data(contentsOf: URL(filePath: folder.path + "-copy"))
            expect(original.count, copy.count)
            var exchanged = original
            exchanged[4096..<8192] = original[8192..<12288]
            exchanged[8192..<12288] = original[4096..<8192]
            try write(exchanged)
            expect(errorCode { try readAll(keys) }, .damaged)
            var mixed = original
            mixed[4096..<8192] = copy[4096..<8192]
            try write(mixed)
            expect(errorCode { try readAll(keys) }, .damaged)
        }

        @Test func `a file that is cut short is noticed`() throws {
            let keys = try folder.keys()
            let store = try folder.open(keys)
            try store.fill(60)
            store.close()
            let original = try bytes()
            for size in [original.count - 4096, original.count / 2, 8192 + 100, 4096, 4000, 100] {
                try write(original.prefix(size))
                let found = errorCode { try readAll(keys) }
                #expect(found == .damaged || found == .corrupt || found == .notADatabase, "\(size): \(found as Any)")
            }
        }

        // A power failure can tear a page while a checkpoint writes it.
        @Test(arguments: [false, true])
        func `a torn first page is restored from the log`(isReadOnly: Bool) throws {
            let keys = try folder.keys()
            let store = try folder.open(keys)
            try store.fill(10)
            try store.checkpoint()
            // The file grows, which changes the first page.
            try store.fill(50, from: 600)
            var file = try bytes()
            let log = try Data(contentsOf: URL(filePath: folder.path + "-wal"))
            store.close()
            file.replaceSubrange(2048..<4096, with: [UInt8](repeating: 0, count: 2048))
            try write(file)
            expect(errorCode { _ = try folder.open(keys) }, .damaged)
            try write(file)
            try log.write(to: URL(filePath: folder.path + "-wal"))
            let restored = try Store(
                folder.path,
                configuration: .init(onNote: { _ in }, isReadOnly: isReadOnly, encryption: .file(keys)))
            try expect(restored.numbers().count, 60)
            try expect(restored.checkIntegrity().isSound, true)
            restored.close()
        }

        @Test func `a damaged log ends before the damage, and a foreign log is not read`() throws {
            let keys = try folder.keys()
            let store = try folder.open(keys)
            try store.fill(10)
            try store.checkpoint()
            try store.fill(50, from: 10)
            let (file, log) = (try bytes(), try Data(contentsOf: URL(filePath: folder.path + "-wal")))
            store.close()
            for place in [50, 2000, log.count - 100] {
                var changed = log
                changed[place] ^= 1
                try write(file)
                try changed.write(to: URL(filePath: folder.path + "-wal"))
                let store = try folder.open(keys)
                let numbers = try store.numbers()
                #expect(numbers == Array(0..<10), "\(place): \(numbers.count)")
                store.close()
            }
            try write(file)
            try log.write(to: URL(filePath: folder.path + "-wal"))
            let complete = try folder.open(keys)
            try expect(complete.numbers().count, 60)
            complete.close()
        }
    }
#endif
