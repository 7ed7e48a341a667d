#if Sync
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// Encrypted values that one device has encrypted again.
    @Suite(.onSQLite("a server is not a device"))
    struct ResealedValueTests {
        final class Secret: PersistentObject {
            override class var tableName: String { "sync_resealed_secret" }
            override class var identity: Identity { .string }
            override class var isSynced: Bool { true }
            var name = ""
            @Encrypted var text = ""
            @Encrypted var notes: [String] = []
            @Unique @Encrypted(.searchable) var mail: String? = nil
        }

        /// Two devices with their own copies of a keyring, and an object with the key "a".
        private struct Pair {
            let folder: URL
            let keys: [Keyring]
            let devices: StoreDevices

            init() throws {
                let place = FileManager.default.temporaryDirectory.appendingPathComponent("keys-\(UUID())")
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
                let files = [0, 1].map { place.appendingPathComponent("\($0).po").path }
                _ = try Keyring.file(files[0])
                try FileManager.default.copyItem(atPath: files[0], toPath: files[1])
                let keys = try files.map { try Keyring.file($0) }
                let devices = try StoreDevices(1, [Secret.self], keys[0])
                try devices.add([Secret.self], keys: keys[1])
                try devices[0].use {
                    let secret = try Secret(key: "a")
                    (secret.name, secret.text, secret.notes, secret.mail) = ("a", "hidden", ["n"], "a@b")
                    try secret.save()
                }
                (folder, self.keys, self.devices) = (place, keys, devices)
                try devices.meet()
            }

            func change(_ device: Int, _ body: (Secret) throws -> Void) throws {
                try devices[device].use {
                    let secret = try #require(try Secret.find("a"))
                    try body(secret)
                    try secret.save()
                }
            }

            func rotate(_ device: Int, removing number: Int? = nil) throws {
                let store = devices[device].store
                try keys[device].addKey()
                try store.reencrypt()
                try store.changeIndexKey()
                if let number { try store.removeKey(number) }
            }

            func end() { try? FileManager.default.removeItem(at: folder) }
        }

        @Test func `an edit of another device does not bring back the key of the other properties`() throws {
            let pair = try Pair()
            defer { pair.end() }
            try pair.rotate(0, removing: 1)
            try pair.change(1) { $0.name = "b" }
            try pair.devices.meet()
            try pair.devices[0].use {
                let secret = try #require(try Secret.find("a"))
                try secret.reload()
                #expect(secret.name == "b")
                try #expect(secret.value(of: \.text) == "hidden" && secret.value(of: \.notes) == ["n"])
                try #expect(secret.value(of: \.mail) == "a@b" && Secret.findBy.mail("a@b") == [secret])
            }
            // A later start compares all rows with what the devices know.
            try pair.devices[0].store.prepare(Secret.self)
            let replica = try StoredReplica(pair.devices[0].store)
            try replica.absorb()
            try pair.devices[0].use {
                let secret = try #require(try Secret.find("a"))
                try #expect(secret.value(of: \.mail) == "a@b" && pair.devices[0].store.checkIntegrity().problems == [])
            }
        }

        @Test func `a received value is found by the hashes of this file, and must be unique`() throws {
            let pair = try Pair()
            defer { pair.end() }
            try pair.rotate(0)
            try pair.change(1) { $0.mail = "b@c" }
            try pair.devices[1].use {
                let secret = try Secret(key: "new")
                secret.mail = "new@c"
                try secret.save()
            }
            try pair.devices.meet()
            try pair.devices[0].use {
                try #expect(Secret.findBy.mail("b@c").map(\.key) == ["a"])
                try #expect(Secret.findBy.mail("new@c").map(\.key) == ["new"])
                try #expect(Secret.findBy.mail("a@b") == [])
                let other = try Secret(key: "z")
                other.mail = "b@c"
                #expect(throws: StoreError.self) { try other.save() }
                other.revert()
            }
            // What was encrypted again is no edit, so the devices have nothing more to send.
            let numbers = try pair.devices.devices.map { try $0.replica.number }
            try pair.devices.meet()
            try #expect(pair.devices.devices.map { try $0.replica.number } == numbers)
            try pair.devices[1].use { try #expect(Secret.findBy.mail("b@c").map(\.key) == ["a"]) }
        }

        @Test func `two devices that add one unique value show the same, and no value is lost`() throws {
            let pair = try Pair()
            defer { pair.end() }
            for (device, key) in ["x", "y"].enumerated() {
                try pair.devices[device].use {
                    let secret = try Secret(key: key)
                    (secret.text, secret.notes, secret.mail) = ("text of \(key)", [key], "same")
                    try secret.save()
                }
            }
            try pair.devices.meet()
            func shown(_ device: Int) throws -> [String] {
                try pair.devices[device].use {
                    try Secret.query.order(by: \.key).all().map { secret in
                        try secret.reload()
                        return
                            "\(secret.key ?? "") \(try secret.value(of: \.text)) \(try secret.value(of: \.mail) ?? "nil")"
                    }
                }
            }
            try #expect(shown(0) == shown(1))
            try #expect(shown(0).count == 3 && shown(0).filter { $0.hasSuffix(" same") }.count == 1)
            for device in [0, 1] {
                try #expect(pair.devices[device].use { try pair.devices[device].store.checkIntegrity().problems } == [])
                // The value is free again, so the other object shows it.
                try pair.devices[device].use {
                    guard device == 0, let holder = try Secret.findBy.mail("same").first else { return }
                    holder.mail = "other"
                    try holder.save()
                }
            }
            try pair.devices.meet()
            try #expect(shown(0) == shown(1) && shown(0).contains { $0.hasSuffix(" same") })
        }

        @Test func `a value with a key that only another device has is locked, and not damaged`() throws {
            let pair = try Pair()
            defer { pair.end() }
            try pair.rotate(0)
            try pair.change(0) { $0.text = "later" }
            try pair.devices.meet()
            try pair.devices[1].use {
                let secret = try #require(try Secret.find("a"))
                let error = #expect(throws: StoreError.self) { _ = try secret.value(of: \.text) }
                #expect(error?.code == .locked, "\(String(describing: error))")
                try #expect(secret.value(of: \.mail) == "a@b")
            }
        }
    }
#endif
