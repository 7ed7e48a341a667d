#if Encryption && (!canImport(Darwin) || os(macOS))
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    final class Patient: PersistentObject {
        var name = ""

        convenience init(_ name: String) {
            self.init()
            self.name = name
        }
    }

    /// The examples of Docs/Encryption.md. The tests of the other guides run without the trait.
    @Suite(.ownProcesses) struct EncryptionGuideTests {
        @Test func `the examples of the guide run`() async throws {
            let folder = try TemporaryStore()
            await #expect(processExitsWith: .success) {
                [folder = folder.folder.path(percentEncoded: false) as String] in
                try #require(chdir(folder) == 0)
                try EncryptionGuideTests.runExamples()
            }
        }

        private static func runExamples() throws {
            let keys = try Keyring.file("keys.po")
            let store = try Store("clinic.sqlite", configuration: .init(encryption: .file(keys)))
            try store.withSession { _ in try Patient("Ann").save() }

            let locked = try Keyring.password("correct horse", file: "locked.po")
            let code = locked.recoveryCode ?? ""
            let found = try Keyring(recoveryCode: code, file: "locked.po")
            try found.changePassword(to: "battery staple")
            try #require(code.count == 52)
            try #require(Keyring.password("battery staple", file: "locked.po").keyNumbers == [1])

            let plain = try Store("plain.sqlite")
            try plain.encrypt(with: keys)
            print(plain.encryption.fileKey ?? 0)
            try #require(plain.encryption.fileKey == 1)
            try plain.decrypt()

            try keys.addKey()
            try store.changeFileKey()
            try store.removeKey(1)
            try #require(keys.keyNumbers == [2])

            try store.backup(to: "copy.sqlite")
            try store.backup(to: "open.sqlite", encryption: .none)
            try store.backup(to: "other.sqlite", encryption: .file(Keyring.file("other.po")))
            let backups: [(String, Store.Encryption)] = [
                ("copy.sqlite", .file(keys)), ("open.sqlite", .none), ("other.sqlite", .file(try .file("other.po"))),
            ]
            for (path, encryption) in backups {
                let backup = try Store(path, configuration: .init(encryption: encryption))
                try #require(backup.withSession { _ in try Patient.all().map(\.name) } == ["Ann"])
            }
        }

        @Test func `the test runs each line of the guide's examples`() throws {
            let guide = try String(
                contentsOf: SwiftCompiler.packageFolder.appending(path: "Docs/Encryption.md"), encoding: .utf8)
            let source = try String(contentsOfFile: #filePath, encoding: .utf8)
            let lines = Set(source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
            let blocks = guide.components(separatedBy: "EncryptionGuideTests runs it -->\n```swift\n").dropFirst()
            expect(blocks.count, 5)
            for block in blocks {
                for line in block.components(separatedBy: "\n```")[0].split(separator: "\n") {
                    let code = line.components(separatedBy: "  //")[0].trimmingCharacters(in: .whitespaces)
                    #expect(lines.contains(code), "\(line)")
                }
            }
        }
    }
#endif
