import Foundation
import PersistentObjects
import Testing

#if Encryption
    private let isBuilt = true
#else
    private let isBuilt = false
#endif

@Suite struct SealingTraitTests {
    #if os(Linux)
        @Test func `a program links libsodium only with the trait`() throws {
            let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/maps"))
            let libraries = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
            #expect(libraries.contains("/libsodium.") == isBuilt)
        }
    #endif

    @Test(.enabled(if: !isBuilt, "the trait is missing"))
    func `without the trait, each call that creates a keyring names the trait`() {
        let calls: [() throws -> Keyring] = [
            { try Keyring.file("keys.po") }, { try Keyring.password("secret", file: "keys.po") },
            { try Keyring.provider(current: 1) { _ in nil } },
            { try Keyring(recoveryCode: "code", file: "keys.po") },
        ]
        for call in calls {
            let error = #expect(throws: StoreError.self) { () throws in _ = try call() }
            #expect(error?.code == .unsupported)
            #expect(error?.message.contains("the package trait Encryption") == true)
            #expect(error?.message.contains("Add traits: [\"Encryption\"] to the dependency") == true)
        }
        #expect(!FileManager.default.fileExists(atPath: "keys.po"))
    }

    @Test func `without encryption a store reports no key, and its encryption cannot be changed`() throws {
        let store = try Store.temporary()
        #expect(store.encryption.fileKey == nil)
        for call in [store.decrypt, store.changeFileKey, { try store.removeKey(1) }] {
            let error = #expect(throws: StoreError.self) { () throws in try call() }
            #expect(error?.code == .misuse)
        }
    }
}
