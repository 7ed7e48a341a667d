#if Encryption
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    @Suite struct KeyringTests {
        private let folder: SealedFolder

        init() throws { folder = try SealedFolder() }
        private var path: String { folder.keysPath }

        private func mode() throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }

        private func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.file.folder.path(percentEncoded: false))
        }

        @Test func `a keyring file is created with one key, and opened with its keys later`() throws {
            let keys = try Keyring.file(path)
            expect(keys.currentKey, 1)
            try expect(mode(), 0o600)
            try expect(keys.addKey(), 2)
            try expect(mode(), 0o600)
            let again = try Keyring.file(path)
            expect(again.keyNumbers, [1, 2])
            expect(again.currentKey, 2)
            expect(again.recoveryCode, keys.recoveryCode)
            try expect(names(), ["keys.po"])
            expect("\(again)", "Keyring with the keys 1, 2")
        }

        @Test func `keyrings of one file add keys without losing any`() async throws {
            let path = path
            _ = try Keyring.file(path)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask { for _ in 0..<5 { try Keyring.file(path).addKey() } }
                }
                try await group.waitForAll()
            }
            try expect(Keyring.file(path).keyNumbers, Set(1...21))
        }

        @Test func `simultaneous creations give one keyring`() async throws {
            let path = path
            let codes = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<8 { group.addTask { try Keyring.file(path).recoveryCode } }
                return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            expect(codes.count, 1)
        }

        @Test func `a password is required, and a wrong one is rejected`() throws {
            let keys = try Keyring.password("correct horse", file: path)
            try keys.addKey()
            try expect(Keyring.password("correct horse", file: path).keyNumbers, [1, 2])
            expect(errorCode { _ = try Keyring.password("battery staple", file: path) }, .wrongKey)
            expect(errorCode { _ = try Keyring.file(path) }, .wrongKey)
            expect(errorCode { _ = try Keyring.password("", file: path + "2") }, .misuse)
            try keys.changePassword(to: "new")
            expect(errorCode { _ = try Keyring.password("correct horse", file: path) }, .wrongKey)
            try expect(Keyring.password("new", file: path).keyNumbers, [1, 2])
            try keys.changePassword(to: nil)
            try expect(Keyring.file(path).keyNumbers, [1, 2])
            expect(errorCode { _ = try Keyring.password("new", file: path) }, .misuse)
        }

        @Test func `the recovery code opens a file whose password is lost`() throws {
            let code = try #require(try Keyring.password("lost", file: path).recoveryCode)
            expect(code.count, 52)
            let keys = try Keyring(recoveryCode: code, file: path)
            expect(keys.keyNumbers, [1])
            expect(errorCode { try keys.addKey() }, .misuse)
            try keys.changePassword(to: "found")
            try keys.addKey()
            try expect(Keyring.password("found", file: path).keyNumbers, [1, 2])
            expect(errorCode { _ = try Keyring(recoveryCode: "nonsense", file: path) }, .wrongKey)
            let other = try Keyring.file(path + "2").recoveryCode ?? ""
            expect(errorCode { _ = try Keyring(recoveryCode: other, file: path) }, .wrongKey)
            expect(errorCode { _ = try Keyring(recoveryCode: other, file: path + "3") }, .cannotOpen)
        }

        @Test func `a changed or truncated file is damaged, at each byte`() throws {
            _ = try Keyring.file(path)
            let bytes = try Data(contentsOf: URL(filePath: path))
            for index in stride(from: 0, to: bytes.count, by: 7) {
                var changed = bytes
                changed[index] ^= 0x10
                try changed.write(to: URL(filePath: path))
                expect(errorCode { _ = try Keyring.file(path) }, .damaged, "\(index)")
                try bytes.prefix(index).write(to: URL(filePath: path))
                expect(errorCode { _ = try Keyring.file(path) }, .damaged, "\(index) bytes")
            }
        }

        @Test func `a file that other users may access is refused`() throws {
            _ = try Keyring.file(path)
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
            expect(errorCode { _ = try Keyring.file(path) }, .misuse)
        }

        @Test func `a provider must have its current key, and does not add keys`() throws {
            let key = [UInt8](repeating: 7, count: 32)
            let keys = try Keyring.provider(current: 2) { $0 < 3 ? key : nil }
            expect(keys.currentKey, 2)
            expect(keys.recoveryCode, nil)
            expect(errorCode { try keys.addKey() }, .misuse)
            expect(errorCode { try keys.changePassword(to: "a") }, .misuse)
            expect(errorCode { _ = try Keyring.provider(current: 3) { $0 < 3 ? key : nil } }, .misuse)
            expect(errorCode { _ = try Keyring.provider(current: 1) { _ in [1, 2] } }, .misuse)
            expect(errorCode { _ = try Keyring.provider(current: 0) { _ in key } }, .misuse)
        }

        @Test func `the folder must exist`() {
            expect(errorCode { _ = try Keyring.file(folder.file.folder.path() + "none/keys.po") }, .cannotOpen)
        }
    }
#endif
